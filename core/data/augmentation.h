#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/named_table.h"
#include "core/base/philox.h"
#include "core/base/tensor_bytes.h"
#include "core/job/declaration.h"
#include "core/job/value.h"

namespace stagecoach {

// Changes one image of channels x height x width bytes, in place, as the four
// random words say (docs/definitions.md, section 4). The shape stays.
//
// Immutable, hence thread-safe.
class Augmentation {
 public:
  virtual ~Augmentation() = default;
  virtual void Apply(const PhiloxWords& words, const Shape& shape,
                     absl::Span<uint8_t> image) const = 0;
};

struct AugmentationType {
  Declaration declaration;
  // `parameters` are resolved and were checked.
  std::unique_ptr<const Augmentation> (*make)(const Value& parameters);
};

const NamedTable<AugmentationType>& Augmentations();

// Applies a list of augmentations to a sample of an epoch. Immutable.
class AugmentationList {
 public:
  AugmentationList(const std::vector<Choice>& resolved, uint64_t seed);

  void Apply(int64_t sample, int64_t epoch, const Shape& shape,
             absl::Span<uint8_t> image) const;

 private:
  PhiloxKey key_;
  std::vector<std::unique_ptr<const Augmentation>> augmentations_;
};

}  // namespace stagecoach

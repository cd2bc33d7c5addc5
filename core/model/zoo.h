#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/model/layer.h"

namespace stagecoach {

// A model of the zoo: a name and numbers that stand for a list of units
// (docs/definitions.md, section 9). Immutable, hence thread-safe.
class ZooModel {
 public:
  virtual ~ZooModel() = default;

  virtual const Declaration& declaration() const = 0;

  // `parameters` are resolved. FieldError where they break a rule (depth is
  // 6n + 2). `input` is the shape of one sample.
  virtual absl::StatusOr<std::vector<LayerSpec>> Units(
      const Value& parameters, const Shape& input) const = 0;

  // The parameter that says how many classes come out: "sizes[2]".
  virtual std::string OutputField(const Value& parameters) const = 0;
};

const NamedTable<const ZooModel*>& ZooModels();

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <vector>

#include "core/data/data_source.h"

namespace stagecoach {

// Images in memory, of noise that is the same for the same facts; the target
// of a sample shows in the brightness of one of its corners, so that there is
// something to learn.
//
// Immutable, hence thread-safe.
class FakeDataSource final : public DataSource {
 public:
  explicit FakeDataSource(const DataFacts& facts);

  const DataFacts& facts() const override { return facts_; }
  absl::Span<const uint8_t> Sample(Split split, int64_t index) const override;
  int64_t Target(Split split, int64_t index) const override;
  double mean() const override { return 0.25; }
  double standard_deviation() const override { return 0.5; }

 private:
  const DataFacts facts_;
  std::vector<uint8_t> pixels_;  // training samples, then test samples
};

}  // namespace stagecoach

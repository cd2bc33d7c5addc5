#pragma once

#include <cstdint>
#include <vector>

namespace stagecoach {

// The order in which epoch `epoch` visits the training samples
// (docs/definitions.md, section 3).
std::vector<int64_t> EpochOrder(uint64_t seed, int64_t epoch, int64_t samples);

// The samples of one item: places [begin, end) of its epoch's order.
struct Batch {
  int64_t epoch = 0;
  int64_t begin = 0;
  int64_t end = 0;

  int64_t size() const { return end - begin; }
};

int64_t BatchesPerEpoch(int64_t samples, int64_t batch_size);
Batch BatchOf(int64_t item, int64_t samples, int64_t batch_size);

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <vector>

#include "core/base/ids.h"
#include "core/base/tensor_bytes.h"

namespace stagecoach {

// Frames of different lanes share a link but neither order nor credits.
// Evaluation overtakes training items that wait for a stage.
enum class Lane { kTraining, kEvaluation };

inline constexpr int kNumLanes = 2;

// What travels between neighbouring stages: an item's activations upward, or
// the gradients with respect to them downward. One frame is one item.
//
// A value; copies share the tensors' bytes, which nobody may write.
struct Frame {
  Lane lane = Lane::kTraining;
  ItemId item;
  Generation generation;

  // How many samples the item has, and how many elements its loss counts.
  int64_t samples = 0;
  int64_t counted = 0;

  // Upward: the boundary tensors, then the targets that the last stage needs.
  // Downward: the gradients of those boundary tensors that need one.
  std::vector<TensorBytes> tensors;

  int64_t bytes() const {
    int64_t sum = 0;
    for (const TensorBytes& tensor : tensors) sum += tensor.size();
    return sum;
  }
};

}  // namespace stagecoach

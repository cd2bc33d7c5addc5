#pragma once

#include <torch/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/ids.h"
#include "core/base/tensor_bytes.h"
#include "core/data/augmentation.h"
#include "core/data/data_source.h"

namespace stagecoach {

// Samples as a network takes them.
struct LoadedBatch {
  torch::Tensor images;   // float32, samples x channels x height x width
  torch::Tensor targets;  // int64, samples
};

// Turns a data source's bytes into batches (docs/definitions.md, sections 3
// and 4): picks, augments, normalises and lays out, in one pass over memory.
//
// Thread-confined: the stage thread.
class BatchLoader {
 public:
  struct Options {
    std::shared_ptr<const DataSource> source;
    uint64_t seed = 1;
    int64_t batch_size = 1;
    bool channels_last = false;
    std::vector<Choice> augment;  // resolved
  };
  explicit BatchLoader(const Options& options);

  LoadedBatch Train(ItemId item);
  LoadedBatch Test(ItemId item) const;

 private:
  const std::vector<int64_t>& OrderOf(int64_t epoch);
  LoadedBatch Empty(int64_t samples) const;
  // Writes one sample's normalised bytes.
  void Fill(const uint8_t* bytes, float* image) const;

  const Options options_;
  const Shape sample_;  // channels, height, width
  const int64_t sample_elements_;
  const AugmentationList augmentations_;
  const std::array<float, 256> normalised_;
  int64_t epoch_ = -1;
  std::vector<int64_t> order_;  // of that epoch
  std::vector<uint8_t> augmented_;
};

}  // namespace stagecoach

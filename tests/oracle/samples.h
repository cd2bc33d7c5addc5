#pragma once

#include <torch/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace stagecoach::oracle {

// Labelled images as files hold them: bytes, sample by sample, each row-major
// over (channel, row, column).
struct Images {
  int64_t channels = 1;
  int64_t height = 0;
  int64_t width = 0;
  std::vector<uint8_t> pixels;
  std::vector<int64_t> labels;

  int64_t samples() const { return static_cast<int64_t>(labels.size()); }
};

// Section 4 of docs/definitions.md.
struct Augmentation {
  enum class Kind { kRandomCrop, kHorizontalFlip };
  Kind kind = Kind::kHorizontalFlip;
  int64_t padding = 0;
};

// What makes a batch of a list of samples.
struct Batch {
  at::Tensor inputs;   // float32, n x c x h x w
  at::Tensor targets;  // int64, n
};

struct Normalisation {
  std::vector<double> mean;  // one per channel
  std::vector<double> std;
};

// The samples in this order, drawn as in `epoch`; with an empty list of
// augmentations neither seed nor epoch matter.
Batch MakeBatch(const Images& images, const Normalisation& normalisation,
                const std::vector<int64_t>& samples,
                const std::vector<Augmentation>& augmentations, uint64_t seed,
                int64_t epoch, at::MemoryFormat format);

}  // namespace stagecoach::oracle

#pragma once

#include <torch/types.h>

namespace stagecoach {

// `gradient` with its elements where `weight`, a dense tensor, has them: itself
// where it lies so already, else a copy; zeros where it is undefined.
torch::Tensor LaidOutAs(const torch::Tensor& weight,
                        const torch::Tensor& gradient);

}  // namespace stagecoach

#pragma once

#include <torch/types.h>

#include <vector>

namespace stagecoach {

// `gradient` with its elements where `weight`, a dense tensor, has them: itself
// where it lies so already, else a copy; zeros where it is undefined.
torch::Tensor LaidOutAs(const torch::Tensor& weight,
                        const torch::Tensor& gradient);

// Whether every value of every tensor is finite. One pass over memory for
// dense float32. Undefined tensors count as finite.
bool AllFinite(const std::vector<torch::Tensor>& tensors);

}  // namespace stagecoach

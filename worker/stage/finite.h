#pragma once

#include <torch/types.h>

namespace stagecoach {

// Whether every component is finite and below the square root of the largest
// value of its type: what an optimizer may square. An undefined tensor, which
// stands for zero, is.
bool AllFinite(const torch::Tensor& tensor);

// Whether every component is finite, however large.
bool AllNumbers(const torch::Tensor& tensor);

}  // namespace stagecoach

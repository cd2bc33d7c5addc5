#pragma once

#include <torch/types.h>

#include "worker/optimizer/kernels.h"

namespace stagecoach {

// The steps of kernels.h as operations on whole tensors, for devices whose
// memory the kernels cannot reach. Operations there fuse as their kernels do,
// so results are kernels.h's to rounding. Under NoGradGuard; `x`, `gradient`
// and the state have the same shape and device.
void PlainStep(const torch::Tensor& x, const torch::Tensor& gradient,
               const SgdNumbers& numbers);
void HeavyBallStep(const torch::Tensor& x, const torch::Tensor& gradient,
                   const torch::Tensor& velocity, const SgdNumbers& numbers);
void NesterovStep(const torch::Tensor& x, const torch::Tensor& gradient,
                  const torch::Tensor& velocity, const SgdNumbers& numbers);
void SumStep(const torch::Tensor& x, const torch::Tensor& gradient,
             const torch::Tensor& previous, const SgdNumbers& numbers);

}  // namespace stagecoach

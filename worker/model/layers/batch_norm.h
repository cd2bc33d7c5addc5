#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// Normalises each channel: by the batch in training, by the buffers in
// evaluation.
std::unique_ptr<Layer> MakeBatchNorm(const PlacedLayer& layer,
                                     const NetworkTensors& tensors);

// Takes one batch's statistic into a buffer, in place (docs/definitions.md,
// section 6).
void FoldStatistic(const torch::Tensor& statistic,
                   const torch::Tensor& running);

}  // namespace stagecoach

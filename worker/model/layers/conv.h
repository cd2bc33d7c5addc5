#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// at::conv2d with zero padding and no dilation.
std::unique_ptr<Layer> MakeConv(const PlacedLayer& layer,
                                const NetworkTensors& tensors);

}  // namespace stagecoach

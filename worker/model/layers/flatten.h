#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// All features of a sample in one dimension, in row-major order.
std::unique_ptr<Layer> MakeFlatten(const PlacedLayer& layer,
                                   const NetworkTensors& tensors);

}  // namespace stagecoach

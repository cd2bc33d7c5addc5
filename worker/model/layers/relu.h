#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// max(x, 0).
std::unique_ptr<Layer> MakeRelu(const PlacedLayer& layer,
                                const NetworkTensors& tensors);

}  // namespace stagecoach

#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// at::linear: x W^T + b.
std::unique_ptr<Layer> MakeLinear(const PlacedLayer& layer,
                                  const NetworkTensors& tensors);

}  // namespace stagecoach

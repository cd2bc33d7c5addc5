#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// body(x) + shortcut(x); an empty shortcut is x itself.
std::unique_ptr<Layer> MakeResidual(const PlacedLayer& layer,
                                    const NetworkTensors& tensors);

}  // namespace stagecoach

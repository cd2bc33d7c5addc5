#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// The layers of its body, one after another.
std::unique_ptr<Layer> MakeSequence(const PlacedLayer& layer,
                                    const NetworkTensors& tensors);

}  // namespace stagecoach

#pragma once

#include <memory>

#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

// The mean over all places of each channel, which keeps its two dimensions of
// size 1.
std::unique_ptr<Layer> MakeAveragePool(const PlacedLayer& layer,
                                       const NetworkTensors& tensors);

}  // namespace stagecoach

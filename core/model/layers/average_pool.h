#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// The mean over all places of each channel, as channels x 1 x 1
// (`average_pool`). No tensors.
const LayerType& AveragePoolLayer();

}  // namespace stagecoach

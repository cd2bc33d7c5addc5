#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// max(0, x), element by element (`relu`). No tensors.
const LayerType& ReluLayer();

}  // namespace stagecoach

#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// body(x) + shortcut(x), the sum in this order; an empty shortcut is x itself
// (`residual`). PlaceModel infers shapes through both; no tensors of its own.
const LayerType& ResidualLayer();

}  // namespace stagecoach

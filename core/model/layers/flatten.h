#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// All dimensions of a sample as one, in row-major order (`flatten`). No
// tensors.
const LayerType& FlattenLayer();

}  // namespace stagecoach

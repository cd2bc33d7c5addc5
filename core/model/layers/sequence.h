#pragma once

#include "core/model/layer.h"

namespace stagecoach {

// The layers of its body one after another (`sequence`). PlaceModel infers
// shapes through the body; no tensors of its own.
const LayerType& SequenceLayer();

}  // namespace stagecoach

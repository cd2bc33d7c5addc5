#pragma once

#include "core/model/zoo.h"

namespace stagecoach {

// Linear layers with relu between them, over the flattened sample (`mlp`).
// Units: linear0 (with the flatten), linear1, ...
const ZooModel& MlpModel();

}  // namespace stagecoach

#pragma once

#include "core/method/method.h"

namespace stagecoach {

// Plain backpropagation (`bp`): one item at a time passes through all stages
// and back; its forward and backward passes use the same weights. The slowest
// method, and the one that the others are measured against.
const Method& BpMethod();

}  // namespace stagecoach

#pragma once

#include "core/optimizer/learning_rate.h"

namespace stagecoach {

// The base rate for every update (`constant`), after a warm-up if there is one.
LearningRateType ConstantRate();

}  // namespace stagecoach

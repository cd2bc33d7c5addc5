#pragma once

#include "core/optimizer/learning_rate.h"

namespace stagecoach {

// Falls from the base rate towards zero along half a cosine (`cosine`), after a
// warm-up if there is one.
LearningRateType CosineRate();

}  // namespace stagecoach

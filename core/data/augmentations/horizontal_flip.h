#pragma once

#include "core/data/augmentation.h"

namespace stagecoach {

// Mirrors half of the images left to right (`horizontal_flip`).
AugmentationType HorizontalFlipAugmentation();

}  // namespace stagecoach

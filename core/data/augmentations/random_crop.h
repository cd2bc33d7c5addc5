#pragma once

#include "core/data/augmentation.h"

namespace stagecoach {

// Moves the image by up to `padding` pixels each way, zeros coming in from the
// sides (`random_crop`): the cut of its size out of the padded image.
AugmentationType RandomCropAugmentation();

}  // namespace stagecoach

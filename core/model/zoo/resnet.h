#pragma once

#include "core/model/zoo.h"

namespace stagecoach {

// The residual networks for small images of He, Zhang, Ren, Sun ("Deep
// Residual Learning for Image Recognition", CVPR 2016, section 4.2), with
// projection shortcuts (`resnet`). Units: stem, block1 .. block<3n>, head; the
// names of the parameters are in docs/definitions.md, section 9.
const ZooModel& ResnetModel();

}  // namespace stagecoach

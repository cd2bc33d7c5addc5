#pragma once

#include "core/optimizer/optimizer.h"

namespace stagecoach {

// Stochastic gradient descent (`sgd`): heavy-ball momentum, Nesterov's, or the
// stochastic unified momentum of Xu, Huo, Huang (CVPR 2020) with its parameter
// s (`sum`).
const OptimizerType& SgdOptimizer();

}  // namespace stagecoach

#pragma once

#include <memory>

#include "core/job/value.h"
#include "worker/model/network.h"
#include "worker/optimizer/optimizer.h"

namespace stagecoach {

// Stochastic gradient descent: plain, with heavy-ball or Nesterov momentum, or
// with the stochastic unified momentum of Xu, Huo, Huang (CVPR 2020).
// `parameters` are resolved and passed CheckOptimizer(). `network` is of
// float32; SUM's state starts as its weights.
std::unique_ptr<Optimizer> MakeSgd(const Value& parameters,
                                   const Network& network);

}  // namespace stagecoach

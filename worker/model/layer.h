#pragma once

#include <torch/types.h>

#include "worker/model/network.h"

namespace stagecoach {

// What one pass through a network is for.
struct ForwardPass {
  ForwardMode mode = ForwardMode::kTrain;
  BatchStatistics* statistics = nullptr;  // null where nobody wants them
};

// A tensor on its way through the layers.
struct Activation {
  torch::Tensor tensor;

  // Nobody reads the values again: neither the caller nor a backward pass. The
  // next layer may write its output over them.
  bool disposable = false;
};

// A layer at work. Holds views of the network's parameters and buffers and
// never writes them.
//
// Thread-confined: the stage thread.
class Layer {
 public:
  virtual ~Layer() = default;

  virtual Activation Forward(Activation input,
                             const ForwardPass& pass) const = 0;
};

}  // namespace stagecoach

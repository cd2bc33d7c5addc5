#pragma once

#include <torch/types.h>

#include <cstdint>

namespace stagecoach {

// The loss of a batch (docs/definitions.md, section 5).
struct Loss {
  torch::Tensor mean;  // to be backpropagated; has a graph in grad mode
  double sum = 0;
  int64_t correct = 0;  // samples whose largest logit is at the target
};

// `logits` is samples x classes, `targets` the samples' classes.
Loss LossOf(const torch::Tensor& logits, const torch::Tensor& targets);

}  // namespace stagecoach

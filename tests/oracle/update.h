#pragma once

#include <torch/types.h>

#include <cstdint>

#include "tests/oracle/network.h"

namespace stagecoach::oracle {

// Sections 6 and 7 of docs/definitions.md: rates and updates.

struct Rate {
  double base = 0.05;
  bool cosine = false;  // else constant
  int64_t warm_up = 0;  // updates
};

// floor(T p / 100): the updates that a percentage of a job stands for.
int64_t WarmUpOf(int64_t updates, double percentage);

// a_t in float64, for update t of `updates`.
double RateAt(const Rate& rate, int64_t t, int64_t updates);

struct Optimizer {
  enum class Kind { kHeavyBall, kNesterov, kSum };
  Kind kind = Kind::kHeavyBall;
  float momentum = 0;
  double s = 1;  // of kSum
  float weight_decay = 0;
};

// One element after its update. `state` is v, or z_prev of SUM.
float Updated(const Optimizer& optimizer, double rate, float x, float g,
              float& state);

// All elements of `x`, a new tensor in the layout of `x`; `state` is replaced.
at::Tensor Updated(const Optimizer& optimizer, double rate, const at::Tensor& x,
                   const at::Tensor& g, at::Tensor& state);

// A buffer after the statistic of an item was folded in.
at::Tensor Folded(const at::Tensor& running, const at::Tensor& statistic);

}  // namespace stagecoach::oracle

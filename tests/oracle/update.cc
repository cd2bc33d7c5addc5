#include "tests/oracle/update.h"

#include <cmath>
#include <numbers>

namespace stagecoach::oracle {
namespace {

// A row-major copy, whatever the layout of `tensor`.
at::Tensor RowMajorCopy(const at::Tensor& tensor) {
  return tensor.detach().clone(at::MemoryFormat::Contiguous);
}

}  // namespace

int64_t WarmUpOf(int64_t updates, double percentage) {
  return static_cast<int64_t>(
      std::floor(static_cast<double>(updates) * percentage / 100.0));
}

double RateAt(const Rate& rate, int64_t t, int64_t updates) {
  if (t < rate.warm_up) {
    return rate.base * static_cast<double>(t + 1) /
           static_cast<double>(rate.warm_up);
  }
  if (!rate.cosine) return rate.base;
  const double passed = static_cast<double>(t - rate.warm_up);
  const double all = static_cast<double>(updates - rate.warm_up);
  return rate.base * 0.5 * (1.0 + std::cos(std::numbers::pi * passed / all));
}

float Updated(const Optimizer& optimizer, double rate, float x, float g,
              float& state) {
  const float a = static_cast<float>(rate);
  const float b = optimizer.momentum;
  const float d = optimizer.weight_decay;
  const float gradient = d == 0 ? g : std::fma(d, x, g);
  if (optimizer.kind == Optimizer::Kind::kSum) {
    const float sa = static_cast<float>(optimizer.s * rate);
    const float y = std::fma(-a, gradient, x);
    const float z = std::fma(-sa, gradient, x);
    const float moved = z - state;
    state = z;
    return std::fma(b, moved, y);
  }
  if (b == 0) return std::fma(-a, gradient, x);
  const float kept = b * state;
  state = kept + gradient;
  if (optimizer.kind == Optimizer::Kind::kHeavyBall) {
    return std::fma(-a, state, x);
  }
  const float direction = std::fma(b, state, gradient);
  return std::fma(-a, direction, x);
}

at::Tensor Updated(const Optimizer& optimizer, double rate, const at::Tensor& x,
                   const at::Tensor& g, at::Tensor& state) {
  const at::Tensor values = RowMajorCopy(x);
  const at::Tensor gradients = RowMajorCopy(g);
  state = RowMajorCopy(state);
  float* value = values.data_ptr<float>();
  const float* gradient = gradients.const_data_ptr<float>();
  float* kept = state.data_ptr<float>();
  for (int64_t j = 0; j < values.numel(); ++j) {
    value[j] = Updated(optimizer, rate, value[j], gradient[j], kept[j]);
  }
  at::Tensor result = at::empty_like(x);
  result.copy_(values);
  return result;
}

at::Tensor Folded(const at::Tensor& running, const at::Tensor& statistic) {
  at::Tensor result = RowMajorCopy(running);
  for (int64_t j = 0; j < result.numel(); ++j) {
    float& value = result.data_ptr<float>()[j];
    const float kept = 0.9f * value;
    value = std::fma(0.1f, statistic.data_ptr<float>()[j], kept);
  }
  return result;
}

}  // namespace stagecoach::oracle

#include "worker/stage/finite.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace stagecoach {
namespace {

// Without a branch inside, so that it runs at the speed of memory.
template <typename T>
bool AllBelow(const T* values, int64_t count, T limit) {
  int64_t bad = 0;
  for (int64_t i = 0; i < count; ++i) {
    bad += static_cast<int64_t>(!(std::abs(values[i]) < limit));
  }
  return bad == 0;
}

template <typename T>
T Limit() {
  return std::sqrt(std::numeric_limits<T>::max());
}

bool Dense(const torch::Tensor& tensor) {
  return tensor.is_cpu() && tensor.is_non_overlapping_and_dense();
}

}  // namespace

bool AllFinite(const torch::Tensor& tensor) {
  if (!tensor.defined()) return true;
  if (Dense(tensor) && tensor.scalar_type() == torch::kFloat32) {
    return AllBelow(tensor.const_data_ptr<float>(), tensor.numel(),
                    Limit<float>());
  }
  if (Dense(tensor) && tensor.scalar_type() == torch::kFloat64) {
    return AllBelow(tensor.const_data_ptr<double>(), tensor.numel(),
                    Limit<double>());
  }
  const double limit = tensor.scalar_type() == torch::kFloat64
                           ? Limit<double>()
                           : static_cast<double>(Limit<float>());
  return tensor.abs().lt(limit).all().item<bool>();
}

}  // namespace stagecoach

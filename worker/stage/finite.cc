#include "worker/stage/finite.h"

#include <cmath>
#include <limits>

#include "worker/optimizer/kernels.h"

namespace stagecoach {
namespace {

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
  const double limit = tensor.scalar_type() == torch::kFloat64
                           ? Limit<double>()
                           : static_cast<double>(Limit<float>());
  return tensor.abs().lt(limit).all().item<bool>();
}

}  // namespace stagecoach

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

// Below `in_floats`, or `in_doubles` where they are float64.
bool AllWithin(const torch::Tensor& tensor, float in_floats,
               double in_doubles) {
  if (!tensor.defined()) return true;
  if (Dense(tensor) && tensor.scalar_type() == torch::kFloat32) {
    return AllBelow(tensor.const_data_ptr<float>(), tensor.numel(), in_floats);
  }
  const double limit = tensor.scalar_type() == torch::kFloat64
                           ? in_doubles
                           : static_cast<double>(in_floats);
  return tensor.abs().lt(limit).all().item<bool>();
}

}  // namespace

bool AllFinite(const torch::Tensor& tensor) {
  return AllWithin(tensor, Limit<float>(), Limit<double>());
}

bool AllNumbers(const torch::Tensor& tensor) {
  return AllWithin(tensor, std::numeric_limits<float>::infinity(),
                   std::numeric_limits<double>::infinity());
}

}  // namespace stagecoach

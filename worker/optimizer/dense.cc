#include "worker/optimizer/dense.h"

#include <algorithm>

#include "core/base/check.h"
#include "worker/optimizer/kernels.h"

namespace stagecoach {
namespace {

// Strides of dimensions of size 1 say nothing about where elements are.
bool LieAlike(const torch::Tensor& a, const torch::Tensor& b) {
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
  }
  return true;
}

bool IsFinite(const torch::Tensor& tensor) {
  if (!tensor.defined()) return true;
  if (tensor.scalar_type() == torch::kFloat32 && tensor.is_cpu() &&
      tensor.is_non_overlapping_and_dense()) {
    return AllFinite(tensor.const_data_ptr<float>(), tensor.numel());
  }
  return at::isfinite(tensor).all().item<bool>();
}

}  // namespace

torch::Tensor LaidOutAs(const torch::Tensor& weight,
                        const torch::Tensor& gradient) {
  const at::NoGradGuard no_graph;
  if (!gradient.defined()) return at::zeros_like(weight);
  SC_CHECK(gradient.sizes() == weight.sizes(),
           "the gradient of another tensor");
  if (LieAlike(weight, gradient)) return gradient;
  return at::empty_strided(weight.sizes(), weight.strides(), weight.options())
      .copy_(gradient);
}

bool AllFinite(const std::vector<torch::Tensor>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), IsFinite);
}

}  // namespace stagecoach

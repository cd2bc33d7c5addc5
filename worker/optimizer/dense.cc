#include "worker/optimizer/dense.h"

#include "core/base/check.h"

namespace stagecoach {
namespace {

// Strides of dimensions of size 1 say nothing about where elements are.
bool LieAlike(const torch::Tensor& a, const torch::Tensor& b) {
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (a.size(d) > 1 && a.stride(d) != b.stride(d)) return false;
  }
  return true;
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

}  // namespace stagecoach

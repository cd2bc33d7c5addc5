#include "worker/stage/loss.h"

namespace stagecoach {

Loss LossOf(const torch::Tensor& logits, const torch::Tensor& targets) {
  const torch::Tensor sum =
      at::cross_entropy_loss(logits, targets, {}, at::Reduction::Sum);
  // argmax() takes the first of equals.
  const torch::Tensor correct = logits.argmax(/*dim=*/1).eq(targets).sum();
  return {.mean = sum / static_cast<double>(targets.size(0)),
          .sum = sum.item<float>(),
          .correct = correct.item<int64_t>()};
}

}  // namespace stagecoach

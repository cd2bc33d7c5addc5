#include "worker/optimizer/operations.h"

namespace stagecoach {
namespace {

torch::Tensor Decayed(const torch::Tensor& x, const torch::Tensor& gradient,
                      const SgdNumbers& numbers) {
  return numbers.decay == 0 ? gradient : gradient.add(x, numbers.decay);
}

}  // namespace

void PlainStep(const torch::Tensor& x, const torch::Tensor& gradient,
               const SgdNumbers& numbers) {
  x.add_(Decayed(x, gradient, numbers), -numbers.rate);
}

void HeavyBallStep(const torch::Tensor& x, const torch::Tensor& gradient,
                   const torch::Tensor& velocity, const SgdNumbers& numbers) {
  velocity.mul_(numbers.momentum).add_(Decayed(x, gradient, numbers));
  x.add_(velocity, -numbers.rate);
}

void NesterovStep(const torch::Tensor& x, const torch::Tensor& gradient,
                  const torch::Tensor& velocity, const SgdNumbers& numbers) {
  const torch::Tensor decayed = Decayed(x, gradient, numbers);
  velocity.mul_(numbers.momentum).add_(decayed);
  x.add_(decayed.add(velocity, numbers.momentum), -numbers.rate);
}

void SumStep(const torch::Tensor& x, const torch::Tensor& gradient,
             const torch::Tensor& previous, const SgdNumbers& numbers) {
  const torch::Tensor decayed = Decayed(x, gradient, numbers);
  const torch::Tensor y = x.add(decayed, -numbers.rate);
  const torch::Tensor z = x.add(decayed, -numbers.scaled_rate);
  x.copy_(y.add(z.sub(previous), numbers.momentum));
  previous.copy_(z);
}

}  // namespace stagecoach

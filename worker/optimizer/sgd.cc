#include "worker/optimizer/sgd.h"

#include "core/base/check.h"
#include "core/job/declaration.h"
#include "worker/optimizer/dense.h"
#include "worker/optimizer/kernels.h"

namespace stagecoach {
namespace {

enum class Momentum { kNone, kHeavyBall, kNesterov, kSum };

Momentum MomentumOf(const Value& parameters) {
  if (Has(parameters, "sum")) return Momentum::kSum;
  if (NumberOf(parameters, "momentum") == 0) return Momentum::kNone;
  return BooleanOf(parameters, "nesterov") ? Momentum::kNesterov
                                           : Momentum::kHeavyBall;
}

// v or z_prev; undefined where there is neither.
torch::Tensor InitialState(Momentum momentum, const torch::Tensor& flat) {
  switch (momentum) {
    case Momentum::kNone:
      return {};
    case Momentum::kSum:
      return flat.detach().clone();
    case Momentum::kHeavyBall:
    case Momentum::kNesterov:
      break;
  }
  return at::zeros_like(flat);
}

class Sgd final : public Optimizer {
 public:
  Sgd(const Value& parameters, const Network& network)
      : momentum_(MomentumOf(parameters)),
        sum_(momentum_ == Momentum::kSum ? NumberOf(parameters, "sum") : 0),
        numbers_(
            {.momentum = static_cast<float>(NumberOf(parameters, "momentum")),
             .decay =
                 static_cast<float>(NumberOf(parameters, "weight_decay"))}),
        state_(InitialState(momentum_, network.flat())) {
    SC_CHECK(network.flat().scalar_type() == torch::kFloat32,
             "sgd updates float32 only");
  }

  void Step(Network& network, const std::vector<torch::Tensor>& gradients,
            double rate) override {
    const at::NoGradGuard no_graph;
    const std::vector<torch::Tensor>& weights = network.parameters();
    SC_CHECK(gradients.size() == weights.size(), "one gradient a parameter");
    numbers_.rate = static_cast<float>(rate);
    numbers_.scaled_rate = static_cast<float>(sum_ * rate);
    float* const flat = network.flat().data_ptr<float>();
    for (size_t i = 0; i < weights.size(); ++i) {
      const torch::Tensor gradient = LaidOutAs(weights[i], gradients[i]);
      StepOne(flat, weights[i], gradient.const_data_ptr<float>());
    }
    network.MarkUpdated();
  }

  int64_t state_bytes() const override {
    return state_.defined() ? static_cast<int64_t>(state_.nbytes()) : 0;
  }

 private:
  void StepOne(const float* flat, const torch::Tensor& weight,
               const float* gradient) const {
    float* const x = weight.data_ptr<float>();
    const int64_t n = weight.numel();
    if (momentum_ == Momentum::kNone) {
      PlainStep(x, gradient, n, numbers_);
      return;
    }
    float* const state = state_.data_ptr<float>() + (x - flat);
    if (momentum_ == Momentum::kHeavyBall) {
      HeavyBallStep(x, gradient, state, n, numbers_);
    } else if (momentum_ == Momentum::kNesterov) {
      NesterovStep(x, gradient, state, n, numbers_);
    } else {
      SumStep(x, gradient, state, n, numbers_);
    }
  }

  const Momentum momentum_;
  const double sum_;
  SgdNumbers numbers_;
  const torch::Tensor state_;
};

}  // namespace

std::unique_ptr<Optimizer> MakeSgd(const Value& parameters,
                                   const Network& network) {
  return std::make_unique<Sgd>(parameters, network);
}

}  // namespace stagecoach

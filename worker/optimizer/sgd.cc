#include "worker/optimizer/sgd.h"

#include "core/base/check.h"
#include "core/job/declaration.h"
#include "worker/optimizer/dense.h"
#include "worker/optimizer/kernels.h"
#include "worker/optimizer/operations.h"

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

// The parts of `state` that belong to the network's parameters: it lies as the
// network's buffer does. Undefined ones of none.
std::vector<torch::Tensor> PartsOf(const torch::Tensor& state,
                                   const Network& network) {
  const at::NoGradGuard no_graph;
  std::vector<torch::Tensor> parts;
  for (const torch::Tensor& weight : network.parameters()) {
    parts.push_back(state.defined()
                        ? state.as_strided(weight.sizes(), weight.strides(),
                                           weight.storage_offset())
                        : torch::Tensor());
  }
  return parts;
}

// One parameter with what its step needs, all laid out alike.
struct Place {
  torch::Tensor weight;
  torch::Tensor gradient;
  torch::Tensor state;  // undefined where there is none
};

void StepInMemory(Momentum momentum, const Place& place,
                  const SgdNumbers& numbers) {
  float* const x = place.weight.data_ptr<float>();
  const float* const gradient = place.gradient.const_data_ptr<float>();
  const int64_t n = place.weight.numel();
  switch (momentum) {
    case Momentum::kNone:
      return PlainStep(x, gradient, n, numbers);
    case Momentum::kHeavyBall:
      return HeavyBallStep(x, gradient, place.state.data_ptr<float>(), n,
                           numbers);
    case Momentum::kNesterov:
      return NesterovStep(x, gradient, place.state.data_ptr<float>(), n,
                          numbers);
    case Momentum::kSum:
      return SumStep(x, gradient, place.state.data_ptr<float>(), n, numbers);
  }
}

void StepOnDevice(Momentum momentum, const Place& place,
                  const SgdNumbers& numbers) {
  switch (momentum) {
    case Momentum::kNone:
      return PlainStep(place.weight, place.gradient, numbers);
    case Momentum::kHeavyBall:
      return HeavyBallStep(place.weight, place.gradient, place.state, numbers);
    case Momentum::kNesterov:
      return NesterovStep(place.weight, place.gradient, place.state, numbers);
    case Momentum::kSum:
      return SumStep(place.weight, place.gradient, place.state, numbers);
  }
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
        state_(InitialState(momentum_, network.flat())),
        states_(PartsOf(state_, network)) {
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
    const auto step = network.flat().is_cpu() ? &StepInMemory : &StepOnDevice;
    for (size_t i = 0; i < weights.size(); ++i) {
      step(momentum_,
           {.weight = weights[i],
            .gradient = LaidOutAs(weights[i], gradients[i]),
            .state = states_[i]},
           numbers_);
    }
    network.MarkUpdated();
  }

  int64_t state_bytes() const override {
    return state_.defined() ? static_cast<int64_t>(state_.nbytes()) : 0;
  }

 private:
  const Momentum momentum_;
  const double sum_;
  SgdNumbers numbers_;
  const torch::Tensor state_;
  const std::vector<torch::Tensor> states_;  // views of it, by parameter
};

}  // namespace

std::unique_ptr<Optimizer> MakeSgd(const Value& parameters,
                                   const Network& network) {
  return std::make_unique<Sgd>(parameters, network);
}

}  // namespace stagecoach

#include "worker/model/layers/batch_norm.h"

#include <cmath>
#include <cstdint>

#include "core/base/check.h"

namespace stagecoach {
namespace {

constexpr double kEpsilon = 1e-5;
constexpr double kKept = 0.9;
constexpr double kTaken = 0.1;

template <typename T>
void Fold(const torch::Tensor& statistic, const torch::Tensor& running) {
  const T* from = statistic.const_data_ptr<T>();
  T* to = running.data_ptr<T>();
  for (int64_t i = 0; i < running.numel(); ++i) {
    const T kept = static_cast<T>(kKept) * to[i];
    to[i] = std::fma(static_cast<T>(kTaken), from[i], kept);
  }
}

class BatchNorm final : public Layer {
 public:
  BatchNorm(const PlacedLayer& layer, const NetworkTensors& tensors)
      : weight_(tensors.Of(layer.parameters[0])),
        bias_(tensors.Of(layer.parameters[1])),
        running_mean_(tensors.Of(layer.buffers[0])),
        running_var_(tensors.Of(layer.buffers[1])) {}

  Activation Forward(Activation input, const ForwardPass& pass) const override {
    return {.tensor = Normalised(input.tensor, pass), .disposable = true};
  }

 private:
  torch::Tensor Normalised(const torch::Tensor& input,
                           const ForwardPass& pass) const {
    if (pass.mode == ForwardMode::kEvaluate) {
      return at::batch_norm(input, weight_, bias_, running_mean_, running_var_,
                            /*training=*/false, 0, kEpsilon, true);
    }
    if (pass.statistics == nullptr) {
      return at::batch_norm(input, weight_, bias_, {}, {}, /*training=*/true, 0,
                            kEpsilon, true);
    }
    // With momentum 1 the kernel leaves the batch's own statistics in the
    // running ones; theirs must start at zero, for 0 times infinity is no
    // number.
    const torch::Tensor mean = at::zeros_like(running_mean_);
    const torch::Tensor variance = at::zeros_like(running_var_);
    torch::Tensor output =
        at::batch_norm(input, weight_, bias_, mean, variance,
                       /*training=*/true, /*momentum=*/1, kEpsilon, true);
    pass.statistics->push_back(mean);
    pass.statistics->push_back(variance);
    return output;
  }

  const torch::Tensor weight_;
  const torch::Tensor bias_;
  const torch::Tensor running_mean_;
  const torch::Tensor running_var_;
};

}  // namespace

void FoldStatistic(const torch::Tensor& statistic,
                   const torch::Tensor& running) {
  SC_CHECK(statistic.numel() == running.numel(), "statistics of other layers");
  if (!running.is_cpu()) {
    // The same to rounding: kernels elsewhere fuse as their compiler does.
    running.mul_(kKept).add_(statistic, kTaken);
  } else if (running.scalar_type() == torch::kFloat32) {
    Fold<float>(statistic, running);
  } else {
    Fold<double>(statistic, running);
  }
}

std::unique_ptr<Layer> MakeBatchNorm(const PlacedLayer& layer,
                                     const NetworkTensors& tensors) {
  return std::make_unique<BatchNorm>(layer, tensors);
}

}  // namespace stagecoach

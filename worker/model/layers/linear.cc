#include "worker/model/layers/linear.h"

namespace stagecoach {
namespace {

class Linear final : public Layer {
 public:
  Linear(const PlacedLayer& layer, const NetworkTensors& tensors)
      : weight_(tensors.Of(layer.parameters[0])),
        bias_(layer.parameters.size() > 1 ? tensors.Of(layer.parameters[1])
                                          : torch::Tensor()) {}

  Activation Forward(Activation input, const ForwardPass&) const override {
    return {.tensor = at::linear(input.tensor, weight_, bias_),
            .disposable = true};
  }

 private:
  const torch::Tensor weight_;
  const torch::Tensor bias_;  // undefined where the layer has none
};

}  // namespace

std::unique_ptr<Layer> MakeLinear(const PlacedLayer& layer,
                                  const NetworkTensors& tensors) {
  return std::make_unique<Linear>(layer, tensors);
}

}  // namespace stagecoach

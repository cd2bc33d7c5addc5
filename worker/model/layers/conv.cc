#include "worker/model/layers/conv.h"

#include <cstdint>

#include "core/job/declaration.h"

namespace stagecoach {
namespace {

class Conv final : public Layer {
 public:
  Conv(const PlacedLayer& layer, const NetworkTensors& tensors)
      : weight_(tensors.Of(layer.parameters[0])),
        bias_(layer.parameters.size() > 1 ? tensors.Of(layer.parameters[1])
                                          : torch::Tensor()),
        stride_(IntegerOf(layer.parameters_of_type, "stride")),
        padding_(IntegerOf(layer.parameters_of_type, "padding")),
        groups_(IntegerOf(layer.parameters_of_type, "groups")) {}

  Activation Forward(Activation input, const ForwardPass&) const override {
    return {.tensor = at::conv2d(input.tensor, weight_, bias_, stride_,
                                 padding_, /*dilation=*/1, groups_),
            .disposable = true};
  }

 private:
  const torch::Tensor weight_;
  const torch::Tensor bias_;  // undefined where the layer has none
  const int64_t stride_;
  const int64_t padding_;
  const int64_t groups_;
};

}  // namespace

std::unique_ptr<Layer> MakeConv(const PlacedLayer& layer,
                                const NetworkTensors& tensors) {
  return std::make_unique<Conv>(layer, tensors);
}

}  // namespace stagecoach

#include "worker/model/layers/residual.h"

#include <utility>

#include "worker/model/layers.h"

namespace stagecoach {
namespace {

class Residual final : public Layer {
 public:
  Residual(const PlacedLayer& layer, const NetworkTensors& tensors)
      : body_(layer.body, tensors), shortcut_(layer.shortcut, tensors) {}

  Activation Forward(Activation input, const ForwardPass& pass) const override {
    input.disposable = false;  // it is read twice
    const Activation body = body_.Forward(input, pass);
    const torch::Tensor shortcut =
        shortcut_.Forward(std::move(input), pass).tensor;
    return {.tensor = body.disposable ? body.tensor.add_(shortcut)
                                      : at::add(body.tensor, shortcut),
            .disposable = true};
  }

 private:
  const LayerChain body_;
  const LayerChain shortcut_;
};

}  // namespace

std::unique_ptr<Layer> MakeResidual(const PlacedLayer& layer,
                                    const NetworkTensors& tensors) {
  return std::make_unique<Residual>(layer, tensors);
}

}  // namespace stagecoach

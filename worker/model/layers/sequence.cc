#include "worker/model/layers/sequence.h"

#include <utility>

#include "worker/model/layers.h"

namespace stagecoach {
namespace {

class Sequence final : public Layer {
 public:
  Sequence(const PlacedLayer& layer, const NetworkTensors& tensors)
      : body_(layer.body, tensors) {}

  Activation Forward(Activation input, const ForwardPass& pass) const override {
    return body_.Forward(std::move(input), pass);
  }

 private:
  const LayerChain body_;
};

}  // namespace

std::unique_ptr<Layer> MakeSequence(const PlacedLayer& layer,
                                    const NetworkTensors& tensors) {
  return std::make_unique<Sequence>(layer, tensors);
}

}  // namespace stagecoach

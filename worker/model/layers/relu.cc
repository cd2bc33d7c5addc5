#include "worker/model/layers/relu.h"

namespace stagecoach {
namespace {

class Relu final : public Layer {
 public:
  // The backward pass reads the output, hence nobody may write over it.
  Activation Forward(Activation input, const ForwardPass&) const override {
    return {.tensor = input.disposable ? at::relu_(input.tensor)
                                       : at::relu(input.tensor)};
  }
};

}  // namespace

std::unique_ptr<Layer> MakeRelu(const PlacedLayer&, const NetworkTensors&) {
  return std::make_unique<Relu>();
}

}  // namespace stagecoach

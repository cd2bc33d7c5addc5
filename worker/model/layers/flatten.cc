#include "worker/model/layers/flatten.h"

namespace stagecoach {
namespace {

class Flatten final : public Layer {
 public:
  Activation Forward(Activation input, const ForwardPass&) const override {
    return {.tensor = at::flatten(input.tensor, /*start_dim=*/1)};
  }
};

}  // namespace

std::unique_ptr<Layer> MakeFlatten(const PlacedLayer&, const NetworkTensors&) {
  return std::make_unique<Flatten>();
}

}  // namespace stagecoach

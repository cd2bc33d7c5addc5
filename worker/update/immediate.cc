#include "worker/update/immediate.h"

#include <utility>

namespace stagecoach {
namespace {

class Immediate final : public UpdateRule {
 public:
  Immediate(std::unique_ptr<Network> network,
            std::unique_ptr<Optimizer> optimizer)
      : network_(std::move(network)), optimizer_(std::move(optimizer)) {}

  Network& ForForward(ItemId) override { return *network_; }
  Network& ForBackward(ItemId) override { return *network_; }
  Network& Published() override { return *network_; }

  absl::Status Apply(ItemId, const std::vector<torch::Tensor>& gradients,
                     double rate) override {
    optimizer_->Step(*network_, gradients, rate);
    return absl::OkStatus();
  }

 private:
  const std::unique_ptr<Network> network_;
  const std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace

std::unique_ptr<UpdateRule> MakeImmediate(
    const Value&, std::unique_ptr<Network> network,
    std::unique_ptr<Optimizer> optimizer) {
  return std::make_unique<Immediate>(std::move(network), std::move(optimizer));
}

}  // namespace stagecoach

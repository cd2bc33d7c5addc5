#include "worker/update/immediate.h"

#include <utility>

#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/worker/model/placed_models.h"
#include "worker/update/update_rule.h"

namespace stagecoach {
namespace {

// Records what it is told; a step writes the rate into the first weight.
class FakeOptimizer final : public Optimizer {
 public:
  void Step(Network& network, const std::vector<torch::Tensor>& gradients,
            double rate) override {
    ASSERT_EQ(gradients.size(), 2u);
    network.flat().data_ptr<float>()[0] = static_cast<float>(rate);
  }
  int64_t state_bytes() const override { return 0; }
};

Model OneLayer() {
  return PlacedModel({LayerOf("linear", "linear", {{"features", 1}})}, {1});
}

class ImmediateTest : public testing::TestWithParam<const char*> {};

TEST_P(ImmediateTest, ReadsTheLiveWeightsInEveryPass) {
  const Model model = OneLayer();
  auto network = NetworkOf(model);
  const Network* const live = network.get();

  const auto rule = (*UpdateRules().Find(GetParam()))(
      Value::object(), std::move(network), std::make_unique<FakeOptimizer>());

  EXPECT_EQ(&rule->ForForward(ItemId(3)), live);
  EXPECT_EQ(&rule->ForBackward(ItemId(1)), live);
  EXPECT_EQ(&rule->Published(), live);
}

TEST_P(ImmediateTest, StepsAtOnce) {
  const Model model = OneLayer();
  const auto rule = (*UpdateRules().Find(GetParam()))(
      Value::object(), NetworkOf(model), std::make_unique<FakeOptimizer>());

  EXPECT_THAT(rule->Apply(ItemId(0), std::vector<torch::Tensor>(2), 0.25),
              IsOk());

  EXPECT_EQ(rule->ForForward(ItemId(1)).parameters()[0].item<float>(), 0.25f);
}

INSTANTIATE_TEST_SUITE_P(Methods, ImmediateTest, testing::Values("bp", "dsp"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace stagecoach

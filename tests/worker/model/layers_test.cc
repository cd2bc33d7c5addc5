#include "worker/model/layers.h"

#include <torch/csrc/autograd/autograd.h>

#include "core/model/layer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/worker/model/placed_models.h"

namespace stagecoach {
namespace {

using ::testing::UnorderedElementsAreArray;

torch::Tensor Train(Network& network, const torch::Tensor& input) {
  return network.Forward(input, ForwardMode::kTrain, nullptr);
}

// 1 x 1 x 3 x 3: 1 2 3 / 4 5 6 / 7 8 9.
torch::Tensor Nine() { return at::arange(1.0f, 10.0f).reshape({1, 1, 3, 3}); }

TEST(LayerMakersTest, HaveEveryDeclaredLayer) {
  EXPECT_THAT(LayerMakers().Names(),
              UnorderedElementsAreArray(LayerTypes().Names()));
}

TEST(ConvTest, SumsWindowsOfThePaddedImageAndAddsTheBias) {
  const Model model = PlacedModel(
      {LayerOf("conv", "conv", {{"channels", 1}, {"padding", 1}})}, {1, 3, 3});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {0, 0, 0, 0, 1, 10, 0, 0, 0});
  SetValues(network->parameters()[1], {0.5});

  const torch::Tensor output = Train(*network, Nine());

  // Each place plus ten times its right neighbour.
  EXPECT_TRUE(
      torch::equal(output, torch::tensor({21.5f, 32.5f, 3.5f, 54.5f, 65.5f,
                                          6.5f, 87.5f, 98.5f, 9.5f})
                               .reshape({1, 1, 3, 3})));
}

TEST(ConvTest, StepsByItsStrideWithinItsGroup) {
  const Model model = PlacedModel({LayerOf("conv", "conv",
                                           {{"channels", 2},
                                            {"kernel", 1},
                                            {"stride", 2},
                                            {"groups", 2},
                                            {"bias", false}})},
                                  {2, 3, 3});
  const auto network = NetworkOf(model, {.channels_last = true});
  ASSERT_EQ(network->parameters().size(), 1u);
  SetValues(network->parameters()[0], {1, 100});

  const torch::Tensor output =
      Train(*network, torch::cat({Nine(), 2 * Nine()}, /*dim=*/1));

  EXPECT_TRUE(torch::equal(
      output.contiguous(),
      torch::tensor({1.f, 3.f, 7.f, 9.f, 200.f, 600.f, 1400.f, 1800.f})
          .reshape({1, 2, 2, 2})));
}

TEST(LinearTest, MultipliesByItsRowsAndAddsTheBias) {
  const Model model =
      PlacedModel({LayerOf("linear", "linear", {{"features", 2}})}, {3});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {1, 2, 3, -1, 0, 1});
  SetValues(network->parameters()[1], {0.5, -4});

  const torch::Tensor output =
      Train(*network, torch::tensor({{1.0f, 10.0f, 100.0f}}));

  EXPECT_TRUE(torch::equal(output, torch::tensor({{321.5f, 95.0f}})));
}

TEST(LinearTest, DoesWithoutABias) {
  const Model model = PlacedModel(
      {LayerOf("linear", "linear", {{"features", 1}, {"bias", false}})}, {2});
  const auto network = NetworkOf(model);
  ASSERT_EQ(network->parameters().size(), 1u);
  SetValues(network->parameters()[0], {2, 3});

  EXPECT_EQ(Train(*network, at::ones({1, 2})).item<float>(), 5);
}

TEST(FlattenTest, ReadsRowByRowEvenFromChannelsLast) {
  const Model model = PlacedModel({LayerOf("flatten", "flatten")}, {2, 2, 2});
  const auto network = NetworkOf(model, {.channels_last = true});
  const torch::Tensor image = at::arange(8.0f).reshape({1, 2, 2, 2});

  const torch::Tensor output =
      Train(*network, image.contiguous(at::MemoryFormat::ChannelsLast));

  EXPECT_TRUE(torch::equal(output, at::arange(8.0f).reshape({1, 8})));
}

TEST(AveragePoolTest, TakesTheMeanOfEachChannel) {
  const Model model = PlacedModel({LayerOf("pool", "average_pool")}, {2, 3, 3});
  const auto network = NetworkOf(model);

  const torch::Tensor output =
      Train(*network, torch::cat({Nine(), 3 * Nine()}, /*dim=*/1));

  EXPECT_TRUE(
      torch::equal(output, torch::tensor({5.0f, 15.0f}).reshape({1, 2, 1, 1})));
}

TEST(ReluTest, LeavesTheStagesInputAsItIs) {
  const Model model = PlacedModel({LayerOf("relu", "relu")}, {3});
  const auto network = NetworkOf(model);
  const torch::Tensor input = torch::tensor({{-1.0f, 0.0f, 2.0f}});

  const torch::Tensor output = Train(*network, input);

  EXPECT_TRUE(torch::equal(output, torch::tensor({{0.0f, 0.0f, 2.0f}})));
  EXPECT_TRUE(torch::equal(input, torch::tensor({{-1.0f, 0.0f, 2.0f}})));
}

TEST(ReluTest, WritesOverItsInputOnlyWhereNobodyReadsItAgain) {
  // flatten's output is a view of the input; the first relu's output is read
  // by its backward pass; a residual reads its input twice.
  const Model model =
      PlacedModel({LayerOf("flatten", "flatten"), LayerOf("relu1", "relu"),
                   LayerOf("relu2", "relu"),
                   ResidualOf("residual", {LayerOf("relu", "relu")}),
                   LayerOf("relu3", "relu")},
                  {2, 1, 1});
  const auto network = NetworkOf(model);
  const torch::Tensor input =
      torch::tensor({-1.0f, 2.0f}).reshape({1, 2, 1, 1}).requires_grad_();

  const torch::Tensor output = Train(*network, input);
  const auto gradients = torch::autograd::grad({output.sum()}, {input});

  EXPECT_TRUE(torch::equal(output, torch::tensor({{0.0f, 4.0f}})));
  EXPECT_TRUE(
      torch::equal(gradients[0].flatten(), torch::tensor({0.0f, 2.0f})));
  EXPECT_TRUE(torch::equal(input.flatten(), torch::tensor({-1.0f, 2.0f})));
}

TEST(ResidualTest, AddsItsInputWhereTheShortcutIsEmpty) {
  const Model model = PlacedModel(
      {ResidualOf("residual", {LayerOf("linear", "linear",
                                       {{"features", 2}, {"bias", false}})})},
      {2});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {0, 3, 5, 0});

  EXPECT_TRUE(torch::equal(Train(*network, torch::tensor({{1.0f, 10.0f}})),
                           torch::tensor({{31.0f, 15.0f}})));
}

TEST(ResidualTest, AddsItsShortcutAndTakesTheBodysParametersFirst) {
  const Value features = {{"features", 1}, {"bias", false}};
  const Model model =
      PlacedModel({ResidualOf("residual", {LayerOf("body", "linear", features)},
                              {LayerOf("side", "linear", features)})},
                  {1});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {3});
  SetValues(network->parameters()[1], {100});

  const torch::Tensor output = Train(*network, at::full({1, 1}, 2.0f));
  const auto gradients =
      torch::autograd::grad({output.sum()}, network->parameters());

  EXPECT_EQ(output.item<float>(), 206);
  EXPECT_EQ(gradients[0].item<float>(), 2);
  EXPECT_EQ(gradients[1].item<float>(), 2);
  EXPECT_EQ(model.units[0].body[0].parameters[0].name, "residual.body.weight");
}

TEST(LayersTest, GiveTheSameBitsWithAndWithoutAGraph) {
  const Model model =
      PlacedZooModel("resnet", {{"depth", 8}, {"classes", 10}}, {3, 16, 16});
  const auto network = NetworkOf(model, {.channels_last = true});
  const torch::Tensor images =
      at::sin(at::arange(4.0f * 3 * 16 * 16)).reshape({4, 3, 16, 16});

  const torch::Tensor with_graph = Train(*network, images);
  torch::Tensor without_graph;
  {
    const at::NoGradGuard no_graph;
    without_graph = Train(*network, images);
  }

  EXPECT_TRUE(with_graph.requires_grad());
  EXPECT_FALSE(without_graph.requires_grad());
  EXPECT_TRUE(torch::equal(with_graph, without_graph));
}

}  // namespace
}  // namespace stagecoach

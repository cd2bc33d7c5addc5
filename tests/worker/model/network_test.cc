#include "worker/model/network.h"

#include <torch/csrc/autograd/autograd.h>

#include <bit>
#include <cstdint>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"
#include "tests/worker/model/placed_models.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Model ConvThenLinear() {
  return PlacedModel(
      {LayerOf("conv", "conv", {{"channels", 2}, {"bias", false}}),
       LayerOf("pool", "average_pool"), LayerOf("flatten", "flatten"),
       LayerOf("linear", "linear", {{"features", 3}})},
      {1, 5, 5});
}

Model ConvNormLinear() {
  return PlacedModel(
      {LayerOf("conv", "conv", {{"channels", 3}}),
       LayerOf("norm", "batch_norm"), LayerOf("relu", "relu"),
       LayerOf("pool", "average_pool"), LayerOf("flatten", "flatten"),
       LayerOf("linear", "linear", {{"features", 2}})},
      {2, 5, 5});
}

int64_t ElementsOfParameters(const Network& network) {
  int64_t elements = 0;
  for (const torch::Tensor& parameter : network.parameters()) {
    elements += parameter.numel();
  }
  return elements;
}

// The file's tensors of one model and seed.
nlohmann::json ReferenceTensors(const std::string& model, uint64_t seed) {
  std::ifstream file(SourceDir() / "tests/reference/streams.json");
  const nlohmann::json streams = nlohmann::json::parse(file);
  for (const auto& entry : streams["initial_weights"]) {
    if (entry["model"] == model && entry["seed"] == std::to_string(seed)) {
      return entry["tensors"];
    }
  }
  return {};
}

std::vector<uint32_t> BitsOf(const torch::Tensor& tensor) {
  const torch::Tensor values = tensor.detach().contiguous();
  std::vector<uint32_t> bits;
  for (int64_t i = 0; i < values.numel(); ++i) {
    bits.push_back(std::bit_cast<uint32_t>(values.data_ptr<float>()[i]));
  }
  return bits;
}

class InitialWeightsTest : public testing::TestWithParam<bool> {};

TEST_P(InitialWeightsTest, AreThoseOfTheReferenceInEitherMemoryFormat) {
  const Model model = ConvNormLinear();
  for (const uint64_t seed : {uint64_t{1}, uint64_t{4294967301}}) {
    const nlohmann::json tensors = ReferenceTensors("conv_norm_linear", seed);

    const auto network =
        NetworkOf(model, {.seed = seed, .channels_last = GetParam()});

    ASSERT_EQ(network->parameters().size(), 6u);
    ASSERT_EQ(tensors.size(), 6u);
    for (size_t i = 0; i < tensors.size(); ++i) {
      EXPECT_EQ(BitsOf(network->parameters()[i]),
                tensors[i]["bits"].get<std::vector<uint32_t>>())
          << tensors[i]["name"] << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MemoryFormats, InitialWeightsTest, testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "ChannelsLast" : "Contiguous";
                         });

TEST(NetworkTest, StagesStartWithTheWeightsOfTheWholeModel) {
  const Model model = ConvThenLinear();
  const auto whole = NetworkOf(model);

  SC_ASSERT_OK_AND_ASSIGN(
      const auto upper,
      Network::Create(absl::MakeConstSpan(model.units).subspan(2), {}));

  ASSERT_EQ(upper->parameters().size(), 2u);
  EXPECT_TRUE(torch::equal(upper->parameters()[0], whole->parameters()[1]));
  EXPECT_TRUE(torch::equal(upper->parameters()[1], whole->parameters()[2]));
}

TEST(NetworkTest, ParametersAreAlignedViewsOfOneBufferInModelOrder) {
  const Model model = ConvNormLinear();

  const auto network = NetworkOf(model, {.channels_last = true});

  int64_t end = 0;
  for (const torch::Tensor& parameter : network->parameters()) {
    EXPECT_TRUE(parameter.is_alias_of(network->flat()));
    EXPECT_EQ(parameter.storage_offset() % 16, 0);
    EXPECT_GE(parameter.storage_offset(), end);
    EXPECT_TRUE(parameter.is_leaf());
    EXPECT_TRUE(parameter.requires_grad());
    end = parameter.storage_offset() + parameter.numel();
  }
  EXPECT_FALSE(network->flat().requires_grad());
  // 54, 3, 3, 3, 6 and 2 elements, each up to a multiple of 16.
  EXPECT_EQ(network->flat().numel(), 64 + 5 * 16);
  EXPECT_EQ(network->flat().abs().gt(0).sum().item<int64_t>(),
            54 + 3 + 3 + 6 + 2);
  EXPECT_EQ(network->parameter_bytes(), 4 * (54 + 3 + 3 + 3 + 6 + 2));
  EXPECT_EQ(network->buffer_bytes(), 4 * (3 + 3));
}

TEST(NetworkTest, WeightsOfConvolutionsLieChannelsLastWhereAsked) {
  const Model model = ConvNormLinear();

  const auto rows = NetworkOf(model);
  const auto channels = NetworkOf(model, {.channels_last = true});

  EXPECT_THAT(rows->parameters()[0].strides().vec(), ElementsAre(18, 9, 3, 1));
  EXPECT_THAT(channels->parameters()[0].strides().vec(),
              ElementsAre(18, 1, 6, 2));
  EXPECT_TRUE(torch::equal(rows->parameters()[0], channels->parameters()[0]));
}

TEST(NetworkTest, ResNet20HasThePublishedNumberOfParameters) {
  // By hand: stem 3*16*9 + 2*16; a block from a to b channels 9*a*b + 9*b*b +
  // 4*b, with a shortcut a*b + 2*b more; head 64*10 + 10.
  const int64_t stem = 432 + 32;
  const int64_t group1 = 3 * (2 * 9 * 16 * 16 + 64);
  const int64_t group2 = (9 * 16 * 32 + 9 * 32 * 32 + 128 + 16 * 32 + 64) +
                         2 * (2 * 9 * 32 * 32 + 128);
  const int64_t group3 = (9 * 32 * 64 + 9 * 64 * 64 + 256 + 32 * 64 + 128) +
                         2 * (2 * 9 * 64 * 64 + 256);
  ASSERT_EQ(stem + group1 + group2 + group3 + 650, 272474);
  const Model model =
      PlacedZooModel("resnet", {{"depth", 20}, {"classes", 10}}, {3, 32, 32});

  const auto network = NetworkOf(model);

  EXPECT_EQ(ElementsOfParameters(*network), 272474);
  EXPECT_EQ(network->parameter_bytes(), 4 * 272474);
}

TEST(NetworkTest, AGraphDoesNotOutliveAnUpdate) {
  const Model model = ConvThenLinear();
  const auto network = NetworkOf(model);
  const torch::Tensor output =
      network->Forward(torch::ones({2, 1, 5, 5}), ForwardMode::kTrain, nullptr);

  network->flat().data_ptr<float>()[0] += 1;
  network->MarkUpdated();

  EXPECT_THROW(torch::autograd::grad({output.sum()}, network->parameters()),
               c10::Error);
}

TEST(NetworkTest, SeesUpdatesOfTheBufferInItsNextPass) {
  const Model model =
      PlacedModel({LayerOf("linear", "linear", {{"features", 1}})}, {2});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {1, 2});
  SetValues(network->parameters()[1], {3});

  network->flat().data_ptr<float>()[1] = 20;  // the second weight
  network->MarkUpdated();
  const torch::Tensor output =
      network->Forward(torch::ones({1, 2}), ForwardMode::kTrain, nullptr);
  const auto gradients =
      torch::autograd::grad({output.sum()}, network->parameters());

  EXPECT_EQ(output.item<float>(), 24);
  EXPECT_TRUE(torch::equal(gradients[0], torch::ones({1, 2})));
}

TEST(NetworkTest, WritesTheLinesOfItsDigest) {
  const Model model = PlacedModel({LayerOf("norm", "batch_norm")}, {1});
  const auto network = NetworkOf(model);

  // sha256 of the bytes 00 00 80 3f and of 00 00 00 00.
  const std::string one =
      "e00e5eb9444182f352323374ef4e08ebcb784725fdd4fd612d7730540b3e0c8c\n";
  const std::string zero =
      "df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119\n";
  EXPECT_THAT(
      network->DigestLines(),
      ElementsAre("norm.weight float32 1 " + one, "norm.bias float32 1 " + zero,
                  "norm.running_mean float32 1 " + zero,
                  "norm.running_var float32 1 " + one));
}

TEST(NetworkTest, DigestsValuesWhateverTheMemoryFormat) {
  const Model model = ConvNormLinear();

  const auto rows = NetworkOf(model);
  const auto channels = NetworkOf(model, {.channels_last = true});

  EXPECT_EQ(rows->DigestLines(), channels->DigestLines());
  EXPECT_THAT(rows->DigestLines()[0],
              testing::StartsWith("conv.weight float32 3x2x3x3 "));
}

TEST(NetworkTest, RefusesTypesAndLayersThatItDoesNotHave) {
  Model model = ConvThenLinear();

  EXPECT_THAT(Network::Create(model.units, {.dtype = torch::kBFloat16}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("BFloat16 are not supported")));
  EXPECT_THAT(Network::Create(model.units, {.device = torch::kMeta}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("device meta is not supported")));
  model.units[1].type = "attention";
  EXPECT_THAT(Network::Create(model.units, {}),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("layer pool: this worker has no 'attention'; "
                                 "it has average_pool, batch_norm, conv")));
}

}  // namespace
}  // namespace stagecoach

#include "core/model/initial_weights.h"

#include <bit>
#include <fstream>
#include <vector>

#include "core/base/philox.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

LayerSpec Conv(int64_t channels, bool bias) {
  return {.name = "conv",
          .type = "conv",
          .parameters = {{"channels", channels},
                         {"kernel", 3},
                         {"stride", 1},
                         {"padding", 0},
                         {"groups", 1},
                         {"bias", bias}}};
}

LayerSpec Linear(int64_t features) {
  return {.name = "linear",
          .type = "linear",
          .parameters = {{"features", features}, {"bias", true}}};
}

// The models of tests/reference/streams.py. The linear layer of the first sees
// four features, 2 channels x 2 x 1.
absl::StatusOr<Model> ReferenceModel(const std::string& name) {
  const LayerSpec flatten = {.name = "flatten", .type = "flatten"};
  if (name == "conv_then_linear") {
    return PlaceModel({Conv(2, /*bias=*/false), flatten, Linear(3)}, {1, 4, 3});
  }
  return PlaceModel({Conv(3, /*bias=*/true),
                     {.name = "norm", .type = "batch_norm"},
                     {.name = "pool", .type = "average_pool"},
                     flatten,
                     Linear(2)},
                    {2, 5, 5});
}

TEST(InitialWeightsTest, AreThoseOfTheReference) {
  std::ifstream file(SourceDir() / "tests/reference/streams.json");
  const Value cases = Value::parse(file).at("initial_weights");
  ASSERT_FALSE(cases.empty());
  for (const Value& expected : cases) {
    const uint64_t seed = std::stoull(expected.at("seed").get<std::string>());
    SC_ASSERT_OK_AND_ASSIGN(
        const Model model,
        ReferenceModel(expected.at("model").get<std::string>()));
    const std::vector<PlacedTensor> tensors = ParametersOf(model.units);
    ASSERT_EQ(tensors.size(), expected.at("tensors").size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      const Value& tensor = expected.at("tensors")[i];
      EXPECT_EQ(tensors[i].name, tensor.at("name"));
      EXPECT_EQ(tensors[i].shape, tensor.at("shape").get<Shape>());
      EXPECT_EQ(tensors[i].offset, tensor.at("first_element"));
      std::vector<float> values(static_cast<size_t>(tensors[i].elements()));
      FillInitial(tensors[i], seed, absl::MakeSpan(values));
      std::vector<uint32_t> bits;
      for (const float value : values) {
        bits.push_back(std::bit_cast<uint32_t>(value));
      }
      EXPECT_EQ(bits, tensor.at("bits").get<std::vector<uint32_t>>())
          << tensors[i].name;
    }
  }
}

TEST(InitialWeightsTest, KeepTheirPlaceInDoublePrecision) {
  const PlacedTensor tensor = {
      .name = "w",
      .shape = {3},
      .initialisation = {.kind = Initialisation::Kind::kUniform, .value = 0.5},
      .offset = (int64_t{1} << 36) + 3};
  std::vector<double> values(3);

  FillInitial(tensor, /*seed=*/7, absl::MakeSpan(values));

  // Elements 2^36 + 3 and 2^36 + 4 are in blocks 2^34 and 2^34 + 1.
  const PhiloxKey key = StreamKey(7, StreamPurpose::kInitialWeights);
  const PhiloxWords first = Philox(key, {0, 4, 0, 0});
  const PhiloxWords second = Philox(key, {1, 4, 0, 0});
  const auto value = [](uint32_t word) {
    return 0.5 * ((word >> 8) - 8388608.0) / 8388608.0;
  };
  EXPECT_EQ(values[0], value(first[3]));
  EXPECT_EQ(values[1], value(second[0]));
  EXPECT_EQ(values[2], value(second[1]));
}

}  // namespace
}  // namespace stagecoach

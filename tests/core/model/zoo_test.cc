#include "core/model/zoo.h"

#include <set>

#include "core/base/field_error.h"
#include "core/model/model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

absl::StatusOr<std::vector<LayerSpec>> UnitsOf(const char* name,
                                               const char* json,
                                               const Shape& input) {
  const ZooModel& zoo = **ZooModels().Find(name);
  const absl::StatusOr<Value> parameters =
      Resolve(zoo.declaration(), Value::parse(json));
  if (!parameters.ok()) return parameters.status();
  return zoo.Units(*parameters, input);
}

absl::StatusOr<Model> ModelOf(const char* name, const char* json,
                              const Shape& input) {
  const auto units = UnitsOf(name, json, input);
  if (!units.ok()) return units.status();
  return PlaceModel(*units, input);
}

int64_t CountParameters(const Model& model) {
  int64_t count = 0;
  for (const PlacedTensor& tensor : ParametersOf(model.units)) {
    EXPECT_EQ(tensor.offset, count) << tensor.name;
    count += tensor.elements();
  }
  return count;
}

std::vector<std::string> UnitNames(const Model& model) {
  std::vector<std::string> names;
  for (const PlacedLayer& unit : model.units) names.push_back(unit.name);
  return names;
}

// Weights of 3x3 convolutions 267,696, of projections 2,560, two numbers for
// each of 784 channels normalised, and the head's 650.
TEST(ResnetTest, HasTheParametersOfThePaper) {
  SC_ASSERT_OK_AND_ASSIGN(const Model model,
                          ModelOf("resnet", R"({"classes": 10})", {3, 32, 32}));

  EXPECT_EQ(CountParameters(model), 272474);
  EXPECT_THAT(
      UnitNames(model),
      ElementsAre("stem", "block1", "block2", "block3", "block4", "block5",
                  "block6", "block7", "block8", "block9", "head"));
  EXPECT_EQ(model.units[0].output, (Shape{16, 32, 32}));
  EXPECT_EQ(model.units[4].output, (Shape{32, 16, 16}));
  EXPECT_EQ(model.units[9].output, (Shape{64, 8, 8}));
  EXPECT_EQ(model.output(), (Shape{10}));
}

TEST(ResnetTest, NamesItsTensorsAsDefined) {
  SC_ASSERT_OK_AND_ASSIGN(
      const Model model,
      ModelOf("resnet", R"({"depth": 8, "width": 4, "classes": 10})",
              {1, 28, 28}));
  std::vector<std::string> names;
  for (const NamedTensor& tensor : TensorsOf(model.units)) {
    names.push_back(tensor.tensor->name + (tensor.is_buffer ? "*" : ""));
  }

  const std::vector<std::string> start = {"stem.conv.weight",
                                          "stem.norm.weight",
                                          "stem.norm.bias",
                                          "stem.norm.running_mean*",
                                          "stem.norm.running_var*",
                                          "block1.conv1.weight",
                                          "block1.norm1.weight",
                                          "block1.norm1.bias",
                                          "block1.norm1.running_mean*",
                                          "block1.norm1.running_var*",
                                          "block1.conv2.weight",
                                          "block1.norm2.weight",
                                          "block1.norm2.bias",
                                          "block1.norm2.running_mean*",
                                          "block1.norm2.running_var*",
                                          "block2.conv1.weight",
                                          "block2.norm1.weight",
                                          "block2.norm1.bias",
                                          "block2.norm1.running_mean*",
                                          "block2.norm1.running_var*",
                                          "block2.conv2.weight",
                                          "block2.norm2.weight",
                                          "block2.norm2.bias",
                                          "block2.norm2.running_mean*",
                                          "block2.norm2.running_var*",
                                          "block2.shortcut.conv.weight",
                                          "block2.shortcut.norm.weight",
                                          "block2.shortcut.norm.bias",
                                          "block2.shortcut.norm.running_mean*",
                                          "block2.shortcut.norm.running_var*"};
  ASSERT_GT(names.size(), start.size());
  EXPECT_EQ(std::vector<std::string>(
                names.begin(),
                names.begin() + static_cast<std::ptrdiff_t>(start.size())),
            start);
  EXPECT_EQ(names[names.size() - 2], "head.linear.weight");
  EXPECT_EQ(names.back(), "head.linear.bias");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(),
            names.size());
}

TEST(ResnetTest, RefusesOtherDepths) {
  const auto units =
      UnitsOf("resnet", R"({"depth": 18, "classes": 10})", {3, 32, 32});

  EXPECT_THAT(units, StatusIs(absl::StatusCode::kInvalidArgument,
                              "must be 6n + 2, not 18; e.g. 14 or 20"));
  EXPECT_EQ(FieldOf(units.status()), "depth");
}

TEST(ResnetTest, NeedsImages) {
  EXPECT_THAT(UnitsOf("resnet", R"({"classes": 10})", {784}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("784")));
}

TEST(MlpTest, HasAUnitForEachLinearLayer) {
  SC_ASSERT_OK_AND_ASSIGN(
      const Model model,
      ModelOf("mlp", R"({"sizes": [784, 256, 128, 10]})", {1, 28, 28}));

  EXPECT_EQ(CountParameters(model),
            784 * 256 + 256 + 256 * 128 + 128 + 128 * 10 + 10);
  EXPECT_THAT(UnitNames(model), ElementsAre("linear0", "linear1", "linear2"));
  std::vector<std::string> names;
  for (const PlacedTensor& tensor : ParametersOf(model.units)) {
    names.push_back(tensor.name);
  }
  EXPECT_THAT(names,
              ElementsAre("linear0.weight", "linear0.bias", "linear1.weight",
                          "linear1.bias", "linear2.weight", "linear2.bias"));
  EXPECT_TRUE(HasLayer(absl::MakeSpan(model.units).subspan(0, 1), "relu"));
  EXPECT_FALSE(HasLayer(absl::MakeSpan(model.units).subspan(2), "relu"));
}

TEST(MlpTest, RefusesSizesThatDoNotFit) {
  const auto wrong =
      UnitsOf("mlp", R"({"sizes": [700, 10]})", Shape{1, 28, 28});
  EXPECT_THAT(wrong,
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "700 does not fit a sample of 1x28x28; it must be 784"));
  EXPECT_EQ(FieldOf(wrong.status()), "sizes[0]");
  EXPECT_THAT(
      UnitsOf("mlp", R"({"sizes": [784]})", {1, 28, 28}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has 1 sizes")));
  EXPECT_THAT(UnitsOf("mlp", "{}", {1, 28, 28}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("is missing; mlp needs a list of integers")));
  EXPECT_THAT(UnitsOf("mlp", R"({"sizes": [784, 0, 10]})", {1, 28, 28}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("must be at least 1")));
}

}  // namespace
}  // namespace stagecoach

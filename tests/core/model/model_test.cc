#include "core/model/model.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

LayerSpec Linear(std::string name, int64_t features) {
  return {.name = std::move(name),
          .type = "linear",
          .parameters = {{"features", features}, {"bias", true}}};
}

std::vector<std::string> NamesOf(absl::Span<const PlacedLayer> units) {
  std::vector<std::string> names;
  for (const NamedTensor& tensor : TensorsOf(units)) {
    names.push_back(tensor.tensor->name);
  }
  return names;
}

TEST(PlaceModelTest, NumbersParametersThroughTheModel) {
  SC_ASSERT_OK_AND_ASSIGN(const Model model,
                          PlaceModel({Linear("first", 3),
                                      {.name = "norm", .type = "batch_norm"},
                                      Linear("second", 2)},
                                     {4}));

  std::vector<int64_t> offsets;
  for (const PlacedTensor& tensor : ParametersOf(model.units)) {
    offsets.push_back(tensor.offset);
  }
  // 4 x 3 weights, 3 biases, 3 + 3 of the normalisation, 3 x 2, 2: buffers are
  // not counted.
  EXPECT_THAT(offsets, ElementsAre(0, 12, 15, 18, 21, 27));
  EXPECT_THAT(NamesOf(model.units),
              ElementsAre("first.weight", "first.bias", "norm.weight",
                          "norm.bias", "norm.running_mean", "norm.running_var",
                          "second.weight", "second.bias"));
  EXPECT_EQ(model.input(), (Shape{4}));
  EXPECT_EQ(model.output(), (Shape{2}));
}

TEST(PlaceModelTest, PlacesTheBodyBeforeTheShortcut) {
  SC_ASSERT_OK_AND_ASSIGN(const Model model,
                          PlaceModel({{.name = "block",
                                       .type = "residual",
                                       .body = {Linear("a", 2), Linear("b", 2)},
                                       .shortcut = {Linear("c", 2)}}},
                                     {3}));

  EXPECT_THAT(NamesOf(model.units),
              ElementsAre("block.a.weight", "block.a.bias", "block.b.weight",
                          "block.b.bias", "block.shortcut.c.weight",
                          "block.shortcut.c.bias"));
  const LayerCost& cost = model.units[0].cost;
  EXPECT_EQ(cost.forward_flops, 2.0 * (3 * 2 + 2 * 2 + 3 * 2) + 2);
  EXPECT_TRUE(HasLayer(model.units, "linear"));
  EXPECT_TRUE(HasLayer(model.units, "residual"));
  EXPECT_FALSE(HasLayer(model.units, "conv"));
}

TEST(PlaceModelTest, LeavesNamelessLayersOutOfNames) {
  SC_ASSERT_OK_AND_ASSIGN(const Model model,
                          PlaceModel({{.name = "unit",
                                       .type = "sequence",
                                       .body = {{.name = "",
                                                 .type = "residual",
                                                 .body = {Linear("a", 3)}}}}},
                                     {3}));

  EXPECT_THAT(NamesOf(model.units),
              ElementsAre("unit.a.weight", "unit.a.bias"));
}

TEST(PlaceModelTest, SaysBetweenWhichLayersShapesDoNotFit) {
  const LayerSpec pool = {.name = "pool", .type = "average_pool"};

  EXPECT_THAT(PlaceModel({pool, Linear("head", 2)}, {3, 4, 5}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "'head' (linear) does not fit after 'pool', which gives "
                       "3x1x1: it takes a list of features, not 3x1x1; put "
                       "flatten before it"));
  EXPECT_THAT(PlaceModel({pool}, {60}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("'pool' (average_pool) does not fit after the "
                                 "data, which gives 60")));
}

TEST(PlaceModelTest, RefusesASumOfDifferentShapes) {
  EXPECT_THAT(
      PlaceModel(
          {{.name = "block", .type = "residual", .body = {Linear("a", 2)}}},
          {3}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "'block' adds 2 from its body and 3 from its shortcut; "
               "both must have the same shape"));
}

TEST(PlaceModelTest, RefusesWhatItDoesNotKnowOrCannotCount) {
  EXPECT_THAT(PlaceModel({}, {3}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PlaceModel({{.name = "a", .type = "linaer"}}, {3}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("did you mean 'linear'?")));
  EXPECT_THAT(PlaceModel({Linear("a", 1048576), Linear("b", 1048576),
                          Linear("c", 1048576)},
                         {3}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("'b' brings the model above")));
}

}  // namespace
}  // namespace stagecoach

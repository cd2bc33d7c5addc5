#include "core/base/field_error.h"
#include "core/model/layer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const LayerType& Layer(const char* name) { return **LayerTypes().Find(name); }

Value Parameters(const char* layer, const char* json) {
  const absl::StatusOr<Value> parameters =
      Resolve(Layer(layer).declaration(), Value::parse(json));
  EXPECT_THAT(parameters, IsOk());
  return *parameters;
}

TEST(LayersTest, AreListedUnderTheirOwnNames) {
  for (const std::string& name : LayerTypes().Names()) {
    EXPECT_EQ((*LayerTypes().Find(name))->declaration().name, name);
  }
}

TEST(ConvTest, InfersItsShapesAndCosts) {
  const Value parameters = Parameters(
      "conv", R"({"channels": 32, "stride": 2, "padding": 1, "groups": 4})");
  const Shape input = {16, 33, 28};

  EXPECT_THAT(Layer("conv").OutputShape(parameters, input),
              IsOkAndHolds(Shape{32, 17, 14}));
  const auto tensors = Layer("conv").Parameters(parameters, input);
  ASSERT_EQ(tensors.size(), 2);
  EXPECT_EQ(tensors[0].name, "weight");
  EXPECT_EQ(tensors[0].shape, (Shape{32, 4, 3, 3}));
  EXPECT_EQ(tensors[0].initialisation.value, 1.0 / 6);  // fan_in 36
  EXPECT_EQ(tensors[1].name, "bias");
  EXPECT_EQ(tensors[1].shape, (Shape{32}));
  EXPECT_EQ(tensors[1].initialisation.value, 1.0 / 6);
  EXPECT_THAT(Layer("conv").Buffers(parameters, input), IsEmpty());
  const LayerCost cost = Layer("conv").Cost(parameters, input);
  EXPECT_EQ(cost.forward_flops, 2.0 * 32 * 17 * 14 * 36);
  EXPECT_EQ(cost.backward_flops, 2 * cost.forward_flops);
  EXPECT_EQ(cost.memory_bytes, 4.0 * (16 * 33 * 28 + 32 * 17 * 14));
}

TEST(ConvTest, LeavesTheBiasOut) {
  const Value parameters =
      Parameters("conv", R"({"channels": 2, "bias": false})");

  EXPECT_EQ(Layer("conv").Parameters(parameters, {1, 3, 3}).size(), 1);
}

TEST(ConvTest, RefusesShapesThatDoNotFit) {
  const LayerType& conv = Layer("conv");
  const Value plain = Parameters("conv", R"({"channels": 2})");
  EXPECT_THAT(conv.OutputShape(plain, {1, 3, 3}), IsOkAndHolds(Shape{2, 1, 1}));
  EXPECT_THAT(conv.OutputShape(plain, {784}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "takes channels x height x width, not 784"));
  const auto small = conv.OutputShape(plain, {1, 2, 3});
  EXPECT_THAT(small, StatusIs(absl::StatusCode::kInvalidArgument,
                              HasSubstr("3 is larger than the input 1x2x3")));
  EXPECT_EQ(FieldOf(small.status()), "kernel");
  const auto odd = conv.OutputShape(
      Parameters("conv", R"({"channels": 4, "groups": 2})"), {3, 8, 8});
  EXPECT_THAT(odd, StatusIs(absl::StatusCode::kInvalidArgument,
                            HasSubstr("2 must divide the 3 channels")));
  EXPECT_EQ(FieldOf(odd.status()), "groups");
}

TEST(BatchNormTest, HasANumberForEachChannel) {
  const LayerType& norm = Layer("batch_norm");
  const Shape input = {16, 8, 8};

  EXPECT_THAT(norm.OutputShape(Value::object(), input), IsOkAndHolds(input));
  const auto parameters = norm.Parameters(Value::object(), input);
  ASSERT_EQ(parameters.size(), 2);
  EXPECT_EQ(parameters[0].name, "weight");
  EXPECT_EQ(parameters[0].shape, (Shape{16}));
  EXPECT_EQ(parameters[0].initialisation.kind, Initialisation::Kind::kConstant);
  EXPECT_EQ(parameters[0].initialisation.value, 1);
  EXPECT_EQ(parameters[1].name, "bias");
  EXPECT_EQ(parameters[1].initialisation.value, 0);
  const auto buffers = norm.Buffers(Value::object(), input);
  ASSERT_EQ(buffers.size(), 2);
  EXPECT_EQ(buffers[0].name, "running_mean");
  EXPECT_EQ(buffers[0].initialisation.value, 0);
  EXPECT_EQ(buffers[1].name, "running_var");
  EXPECT_EQ(buffers[1].initialisation.value, 1);
  EXPECT_THAT(norm.OutputShape(Value::object(), {2, 3}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("2x3")));
}

TEST(LinearTest, InfersItsShapesAndCosts) {
  const LayerType& linear = Layer("linear");
  const Value parameters = Parameters("linear", R"({"features": 10})");

  EXPECT_THAT(linear.OutputShape(parameters, {64}), IsOkAndHolds(Shape{10}));
  const auto tensors = linear.Parameters(parameters, {64});
  ASSERT_EQ(tensors.size(), 2);
  EXPECT_EQ(tensors[0].shape, (Shape{10, 64}));
  EXPECT_EQ(tensors[0].initialisation.value, 0.125);
  EXPECT_EQ(tensors[1].shape, (Shape{10}));
  EXPECT_EQ(tensors[1].initialisation.value, 0.125);
  EXPECT_EQ(linear.Cost(parameters, {64}).forward_flops, 2.0 * 640);
  EXPECT_THAT(linear.OutputShape(parameters, {64, 1, 1}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "takes a list of features, not 64x1x1; put flatten "
                       "before it"));
}

TEST(PlainLayersTest, KeepTheirPromises) {
  const Value none = Value::object();
  EXPECT_THAT(Layer("relu").OutputShape(none, {3, 4, 5}),
              IsOkAndHolds(Shape{3, 4, 5}));
  EXPECT_THAT(Layer("flatten").OutputShape(none, {3, 4, 5}),
              IsOkAndHolds(Shape{60}));
  EXPECT_THAT(Layer("average_pool").OutputShape(none, {3, 4, 5}),
              IsOkAndHolds(Shape{3, 1, 1}));
  EXPECT_THAT(Layer("average_pool").OutputShape(none, {60}),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace stagecoach

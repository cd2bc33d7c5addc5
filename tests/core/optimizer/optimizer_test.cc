#include "core/optimizer/optimizer.h"

#include "core/base/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

Choice Sgd(const char* json) {
  const OptimizerType& sgd = **Optimizers().Find("sgd");
  const absl::StatusOr<Value> parameters =
      Resolve(sgd.declaration(), Value::parse(json));
  EXPECT_THAT(parameters, IsOk());
  return {.name = "sgd", .parameters = *parameters};
}

int64_t StateOf(const Choice& optimizer) {
  return (*Optimizers().Find(optimizer.name))
      ->StatePerElement(optimizer.parameters);
}

TEST(SgdTest, HasHeavyBallMomentumUnlessTold) {
  EXPECT_EQ(Sgd("{}").parameters.dump(),
            R"({"momentum":0.9,"nesterov":false,"weight_decay":0.0})");
}

TEST(SgdTest, KeepsANumberForEachWeightOnlyWithMomentum) {
  EXPECT_EQ(StateOf(Sgd("{}")), 1);
  EXPECT_EQ(StateOf(Sgd(R"({"sum": 5})")), 1);
  EXPECT_EQ(StateOf(Sgd(R"({"momentum": 0})")), 0);
}

TEST(SgdTest, TakesEachKindOfMomentum) {
  EXPECT_THAT(CheckOptimizer(Sgd("{}")), IsOk());
  EXPECT_THAT(CheckOptimizer(Sgd(R"({"momentum": 0})")), IsOk());
  EXPECT_THAT(CheckOptimizer(Sgd(R"({"nesterov": true})")), IsOk());
  EXPECT_THAT(CheckOptimizer(Sgd(R"({"sum": 0})")), IsOk());
  EXPECT_THAT(CheckOptimizer(Sgd(R"({"sum": 5, "nesterov": false})")), IsOk());
}

TEST(SgdTest, RefusesTwoKindsOfMomentumAndNoneAtAll) {
  const absl::Status both =
      CheckOptimizer(Sgd(R"({"sum": 5, "nesterov": true})"));
  EXPECT_THAT(both, StatusIs(absl::StatusCode::kInvalidArgument,
                             HasSubstr("cannot stand beside nesterov")));
  EXPECT_EQ(FieldOf(both), "sum");
  const absl::Status none =
      CheckOptimizer(Sgd(R"({"momentum": 0, "nesterov": true})"));
  EXPECT_THAT(none, StatusIs(absl::StatusCode::kInvalidArgument,
                             HasSubstr("means nothing at momentum 0")));
  EXPECT_EQ(FieldOf(none), "nesterov");
  EXPECT_EQ(FieldOf(CheckOptimizer(Sgd(R"({"momentum": 0, "sum": 1})"))),
            "sum");
}

TEST(OptimizersTest, SuggestWhatWasMeant) {
  EXPECT_THAT(CheckOptimizer({.name = "sdg"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "no optimizer is called 'sdg'; did you mean 'sgd'?"));
}

}  // namespace
}  // namespace stagecoach

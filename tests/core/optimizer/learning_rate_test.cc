#include "core/optimizer/learning_rate.h"

#include <cmath>

#include "core/base/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

absl::StatusOr<std::unique_ptr<const LearningRate>> Make(const char* schedule,
                                                         const Value& warm_up,
                                                         int64_t steps) {
  Value parameters = Value::object();
  parameters["warm_up"] = warm_up;
  return MakeLearningRate(
      {.base = 0.1, .schedule = {.name = schedule, .parameters = parameters}},
      /*steps_per_epoch=*/10, steps);
}

TEST(LearningRateTest, EveryScheduleRisesToItsBase) {
  for (const std::string& name : LearningRates().Names()) {
    EXPECT_EQ(LearningRates().Find(name)->declaration.name, name);
    SC_ASSERT_OK_AND_ASSIGN(const auto rate,
                            Make(name.c_str(), "20%", /*steps=*/20));

    EXPECT_EQ(rate->At(0), 0.1 * 1 / 4);
    EXPECT_EQ(rate->At(1), 0.1 * 2 / 4);
    EXPECT_EQ(rate->At(2), 0.1 * 3 / 4);
    EXPECT_EQ(rate->At(3), 0.1);
    EXPECT_EQ(rate->At(4), 0.1);
  }
}

TEST(LearningRateTest, ConstantStays) {
  SC_ASSERT_OK_AND_ASSIGN(const auto rate, Make("constant", "0%", 20));

  EXPECT_EQ(rate->At(0), 0.1);
  EXPECT_EQ(rate->At(19), 0.1);
}

TEST(LearningRateTest, CosineFallsAlongHalfACosine) {
  SC_ASSERT_OK_AND_ASSIGN(const auto rate, Make("cosine", "4 steps", 20));

  EXPECT_EQ(rate->At(4), 0.1);
  EXPECT_NEAR(rate->At(8), 0.1 * (0.5 + std::sqrt(0.5) / 2), 1e-16);
  EXPECT_NEAR(rate->At(12), 0.05, 1e-16);
  EXPECT_NEAR(rate->At(16), 0.1 * (0.5 - std::sqrt(0.5) / 2), 1e-16);
  // One step before the end: 1 + cos(pi 15/16) = 2 sin^2(pi/32).
  EXPECT_NEAR(rate->At(19), 0.1 * std::pow(std::sin(std::acos(-1.0) / 32), 2),
              1e-16);
  EXPECT_GT(rate->At(19), 0);
}

TEST(LearningRateTest, WarmUpCountsEpochsAndRoundsPercentagesDown) {
  SC_ASSERT_OK_AND_ASSIGN(const auto epoch, Make("constant", "1 epoch", 20));
  EXPECT_EQ(epoch->At(0), 0.1 * 1 / 10);
  SC_ASSERT_OK_AND_ASSIGN(const auto percent, Make("constant", "19%", 20));
  EXPECT_EQ(percent->At(0), 0.1 * 1 / 3);
}

TEST(LearningRateTest, RefusesAWarmUpThatLeavesNothing) {
  const auto rate = Make("cosine", "2 epochs", 20);

  EXPECT_THAT(rate, StatusIs(absl::StatusCode::kInvalidArgument,
                             "2 epochs is 20 of the job's 20 steps and leaves "
                             "none at the full rate; e.g. 5%"));
  EXPECT_EQ(FieldOf(rate.status()), "schedule.cosine.warm_up");
}

TEST(LearningRateTest, SuggestsWhatWasMeant) {
  EXPECT_THAT(Make("cosin", "0%", 20),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       testing::HasSubstr("did you mean 'cosine'?")));
}

}  // namespace
}  // namespace stagecoach

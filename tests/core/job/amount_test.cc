#include "core/job/amount.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

TEST(AmountTest, ReadsWhatUsersWrite) {
  const auto steps = Amount::Unit::kSteps;
  const auto epochs = Amount::Unit::kEpochs;
  const auto percent = Amount::Unit::kPercent;
  EXPECT_THAT(ParseAmount("5%"), IsOkAndHolds(Amount{5, percent}));
  EXPECT_THAT(ParseAmount("12.5 %"), IsOkAndHolds(Amount{12.5, percent}));
  EXPECT_THAT(ParseAmount("1 epoch"), IsOkAndHolds(Amount{1, epochs}));
  EXPECT_THAT(ParseAmount(" 2 epochs "), IsOkAndHolds(Amount{2, epochs}));
  EXPECT_THAT(ParseAmount("100 steps"), IsOkAndHolds(Amount{100, steps}));
  EXPECT_THAT(ParseAmount("1step"), IsOkAndHolds(Amount{1, steps}));
  EXPECT_THAT(ParseAmount("7"), IsOkAndHolds(Amount{7, steps}));
  EXPECT_THAT(ParseAmount(7), IsOkAndHolds(Amount{7, steps}));
  EXPECT_THAT(ParseAmount(7.0), IsOkAndHolds(Amount{7, steps}));
  EXPECT_THAT(ParseAmount(0), IsOkAndHolds(Amount{0, steps}));
}

TEST(AmountTest, RefusesWhatIsNoAmount) {
  const Value bad[] = {"",      "%",   "five",           "5 percent", "-1",
                       "1e3",   "nan", "1.2.3",          "1 epoch 2", "1,5%",
                       nullptr, true,  Value::array({1})};
  for (const Value& value : bad) {
    EXPECT_THAT(ParseAmount(value),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is no amount; write \"5%\"")))
        << value;
  }
}

TEST(AmountTest, RefusesWhatIsOutOfRange) {
  const Value bad[] = {"1.5 epochs",
                       "101%",
                       -1,
                       2.5,
                       std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity(),
                       "99999999999999999999 steps"};
  for (const Value& value : bad) {
    EXPECT_THAT(ParseAmount(value),
                StatusIs(absl::StatusCode::kInvalidArgument))
        << value;
  }
}

TEST(AmountTest, PrintsTheOneFormThatItReadsBack) {
  const Value written[] = {"5 %", "12.5%", "1 epochs", "2 epochs", "1", 250};
  const char* printed[] = {"5%",       "12.5%",  "1 epoch",
                           "2 epochs", "1 step", "250 steps"};
  for (size_t i = 0; i < std::size(written); ++i) {
    SC_ASSERT_OK_AND_ASSIGN(const Amount amount, ParseAmount(written[i]));
    EXPECT_EQ(ToString(amount), printed[i]);
    EXPECT_THAT(ParseAmount(printed[i]), IsOkAndHolds(amount));
  }
}

TEST(AmountTest, CountsSteps) {
  const auto steps = [](const char* text) {
    return StepsOf(*ParseAmount(text), /*steps_per_epoch=*/469,
                   /*steps=*/1876);
  };
  EXPECT_EQ(steps("5%"), 93);  // 93.8
  EXPECT_EQ(steps("100%"), 1876);
  EXPECT_EQ(steps("0%"), 0);
  EXPECT_EQ(steps("2 epochs"), 938);
  EXPECT_EQ(steps("100 steps"), 100);
}

}  // namespace
}  // namespace stagecoach

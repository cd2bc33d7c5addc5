#include "tests/support/status_matchers.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StringMatchResultListener;

TEST(StatusMatchersTest, TellOkFromError) {
  const absl::StatusOr<int> seven = 7;

  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(seven, IsOk());
  EXPECT_THAT(absl::DataLossError("torn"), Not(IsOk()));
}

TEST(StatusMatchersTest, MatchTheValueInside) {
  const absl::StatusOr<std::vector<int>> numbers = std::vector<int>{1, 2};
  const absl::StatusOr<int> lost = absl::DataLossError("torn");

  EXPECT_THAT(numbers, IsOkAndHolds(ElementsAre(1, 2)));
  EXPECT_THAT(absl::StatusOr<int>(7), IsOkAndHolds(7));
  EXPECT_THAT(absl::StatusOr<int>(7), Not(IsOkAndHolds(Gt(7))));
  EXPECT_THAT(lost, Not(IsOkAndHolds(7)));
}

TEST(StatusMatchersTest, MatchCodeAndMessage) {
  const absl::Status torn = absl::DataLossError("torn at byte 12");

  EXPECT_THAT(torn, StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_THAT(torn, StatusIs(absl::StatusCode::kDataLoss, HasSubstr("12")));
  EXPECT_THAT(torn, Not(StatusIs(absl::StatusCode::kDataLoss, "torn")));
  EXPECT_THAT(torn, Not(StatusIs(absl::StatusCode::kAborted)));
  EXPECT_THAT(absl::StatusOr<int>(torn),
              StatusIs(absl::StatusCode::kDataLoss, "torn at byte 12"));
}

TEST(StatusMatchersTest, PrintTheStatusOfAMismatch) {
  StringMatchResultListener listener;

  testing::ExplainMatchResult(IsOk(), absl::DataLossError("torn"), &listener);

  EXPECT_EQ(listener.str(), "which is DATA_LOSS: torn");
}

TEST(StatusMatchersTest, AssignTheValueOfAnOkResult) {
  const auto make = [] {
    return absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(7));
  };

  SC_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<int> seven, make());

  EXPECT_EQ(*seven, 7);
}

}  // namespace
}  // namespace stagecoach

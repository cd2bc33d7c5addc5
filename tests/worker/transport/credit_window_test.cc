#include "worker/transport/credit_window.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::Eq;
using ::testing::Optional;

TEST(SendWindowTest, TakesAsManyItemsAsItHas) {
  SendWindow window(2);

  EXPECT_TRUE(window.TryTake());
  EXPECT_TRUE(window.TryTake());
  EXPECT_FALSE(window.TryTake());
}

TEST(SendWindowTest, TakesNothingWithoutItems) {
  EXPECT_FALSE(SendWindow(0).TryTake());
}

TEST(SendWindowTest, AnnouncesRoomOnceToWhoWasRefused) {
  SendWindow window(1);
  ASSERT_TRUE(window.TryTake());
  ASSERT_FALSE(window.TryTake());

  EXPECT_THAT(window.Credit(1), IsOkAndHolds(true));
  EXPECT_THAT(window.Credit(1), IsOkAndHolds(false));
  EXPECT_TRUE(window.TryTake());
}

TEST(SendWindowTest, AnnouncesNothingToWhoWasNotRefused) {
  SendWindow window(2);
  ASSERT_TRUE(window.TryTake());

  EXPECT_THAT(window.Credit(1), IsOkAndHolds(false));
}

TEST(SendWindowTest, MergesCreditsAndForgivesOldOnes) {
  SendWindow window(3);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(window.TryTake());

  EXPECT_THAT(window.Credit(2), IsOk());
  EXPECT_THAT(window.Credit(1), IsOk());

  EXPECT_TRUE(window.TryTake());
  EXPECT_TRUE(window.TryTake());
  EXPECT_FALSE(window.TryTake());
}

TEST(SendWindowTest, RefusesCreditForWhatWasNotSent) {
  SendWindow window(2);
  ASSERT_TRUE(window.TryTake());

  EXPECT_THAT(window.Credit(2),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "credit for 2 items, but only 1 were sent"));
}

TEST(ReceiveWindowTest, AcceptsAsManyItemsAsItHasRoomFor) {
  ReceiveWindow window(2);
  EXPECT_THAT(window.Accept(), IsOk());
  EXPECT_THAT(window.Accept(), IsOk());

  EXPECT_THAT(window.Accept(), StatusIs(absl::StatusCode::kInvalidArgument));

  window.Consume();
  EXPECT_THAT(window.Accept(), IsOk());
}

TEST(ReceiveWindowTest, TellsEveryTotalOnce) {
  ReceiveWindow window(4);
  for (int i = 0; i < 3; ++i) ASSERT_THAT(window.Accept(), IsOk());
  EXPECT_THAT(window.TakeCredit(), Eq(std::nullopt));

  window.Consume();
  EXPECT_THAT(window.TakeCredit(), Optional(1));
  EXPECT_THAT(window.TakeCredit(), Eq(std::nullopt));

  window.Consume();
  window.Consume();
  EXPECT_THAT(window.TakeCredit(), Optional(3));
}

TEST(ReceiveWindowDeathTest, DiesOfAnItemConsumedThatNeverCame) {
  ReceiveWindow window(4);
  ASSERT_THAT(window.Accept(), IsOk());
  window.Consume();

  EXPECT_DEATH(window.Consume(), "never came");
}

}  // namespace
}  // namespace stagecoach

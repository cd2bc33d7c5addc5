#include "worker/stage/inbox.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::Eq;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Optional;

Frame FrameOf(int64_t item, Lane lane = Lane::kTraining) {
  return {.lane = lane, .item = ItemId(item)};
}

auto HoldsItem(int64_t item) {
  return IsOkAndHolds(Optional(Field(&Frame::item, ItemId(item))));
}

auto HoldsNothing() { return IsOkAndHolds(Eq(std::nullopt)); }

TEST(InboxTest, HandsOutTheItemsInTheirOrder) {
  Inbox inbox({2, 0});
  inbox.OnFrame(FrameOf(5));
  inbox.OnFrame(FrameOf(6));

  EXPECT_THAT(inbox.Take(Lane::kTraining, ItemId(5)), HoldsItem(5));
  EXPECT_THAT(inbox.Take(Lane::kTraining, ItemId(6)), HoldsItem(6));
  EXPECT_THAT(inbox.Take(Lane::kTraining, ItemId(7)), HoldsNothing());
}

TEST(InboxTest, EvaluationOvertakesTraining) {
  Inbox inbox({2, 2});
  inbox.OnFrame(FrameOf(5));
  inbox.OnFrame(FrameOf(0, Lane::kEvaluation));

  EXPECT_THAT(inbox.Take(Lane::kEvaluation, ItemId(0)), HoldsItem(0));
  EXPECT_THAT(inbox.Take(Lane::kEvaluation, ItemId(1)), HoldsNothing());
  EXPECT_THAT(inbox.Take(Lane::kTraining, ItemId(5)), HoldsItem(5));
}

TEST(InboxTest, AnotherItemThanExpectedBreaksTheContractForGood) {
  Inbox inbox({2, 0});
  inbox.OnFrame(FrameOf(6));

  for (const int64_t expected : {5, 6}) {
    EXPECT_THAT(
        inbox.Take(Lane::kTraining, ItemId(expected)),
        StatusIs(absl::StatusCode::kInternal,
                 AllOf(HasSubstr("expected item 5"), HasSubstr("item 6"))));
  }
}

TEST(InboxTest, MoreThanThereIsRoomForBreaksTheContract) {
  Inbox inbox({1, 0});
  inbox.OnFrame(FrameOf(0));
  inbox.OnFrame(FrameOf(1));

  EXPECT_THAT(inbox.Take(Lane::kTraining, ItemId(0)),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("item 1"), HasSubstr("room for 1"))));
}

TEST(InboxTest, ALostPeerMattersOnceItsItemsAreUsedUp) {
  Inbox inbox({2, 0});
  inbox.OnFrame(FrameOf(0));
  inbox.OnPeerLost(absl::UnknownError("connection reset"));

  EXPECT_THAT(inbox.Take(Lane::kTraining, ItemId(0)), HoldsItem(0));
  EXPECT_THAT(
      inbox.Take(Lane::kTraining, ItemId(1)),
      StatusIs(absl::StatusCode::kUnavailable, HasSubstr("connection reset")));
}

TEST(InboxTest, WakesAfterEveryChangeAndNoSooner) {
  Inbox inbox({2, 0});
  std::vector<absl::StatusOr<std::optional<Frame>>> seen;
  inbox.SetWaker(
      [&] { seen.push_back(inbox.Take(Lane::kTraining, ItemId(0))); });

  inbox.OnFrame(FrameOf(0));
  inbox.OnWritable(Lane::kTraining);
  inbox.OnPeerLost(absl::UnavailableError("gone"));

  ASSERT_EQ(seen.size(), 3);
  EXPECT_THAT(seen[0], HoldsItem(0));
  EXPECT_THAT(seen[1], HoldsNothing());
  EXPECT_THAT(seen[2], StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace stagecoach

#include "worker/stage/outbox.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_link.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

Frame FrameOf(int64_t item, Lane lane = Lane::kTraining) {
  return {.lane = lane, .item = ItemId(item), .generation = Generation(3)};
}

auto Item(int64_t item) { return Field(&Frame::item, ItemId(item)); }

class OutboxTest : public testing::Test {
 protected:
  OutboxTest() { outbox_.Attach(&link_); }

  FakeLink link_{{.job = JobId("job-1"),
                  .generation = Generation(3),
                  .boundary_digest = "nothing",
                  .upward_items = {1, 1}},
                 Direction::kUpward};
  Outbox outbox_;
};

TEST_F(OutboxTest, SendsAtOnceWhereThereIsCredit) {
  EXPECT_THAT(outbox_.Send(FrameOf(0)), IsOk());

  EXPECT_THAT(link_.TakeSent(), ElementsAre(Item(0)));
  EXPECT_TRUE(outbox_.empty());
  EXPECT_TRUE(outbox_.ready(Lane::kTraining));
}

TEST_F(OutboxTest, KeepsOneFrameUntilThereIsCredit) {
  ASSERT_THAT(outbox_.Send(FrameOf(0)), IsOk());
  EXPECT_THAT(outbox_.Send(FrameOf(1)), IsOk());
  EXPECT_FALSE(outbox_.ready(Lane::kTraining));
  EXPECT_FALSE(outbox_.empty());

  EXPECT_THAT(outbox_.Flush(), IsOk());
  EXPECT_THAT(link_.TakeSent(), ElementsAre(Item(0)));
  EXPECT_FALSE(outbox_.empty());

  link_.GiveCredit(Lane::kTraining);
  EXPECT_THAT(outbox_.Flush(), IsOk());
  EXPECT_THAT(link_.TakeSent(), ElementsAre(Item(1)));
  EXPECT_TRUE(outbox_.empty());
}

TEST_F(OutboxTest, OneLaneDoesNotHoldTheOtherUp) {
  ASSERT_THAT(outbox_.Send(FrameOf(0)), IsOk());
  ASSERT_THAT(outbox_.Send(FrameOf(1)), IsOk());

  EXPECT_TRUE(outbox_.ready(Lane::kEvaluation));
  EXPECT_THAT(outbox_.Send(FrameOf(0, Lane::kEvaluation)), IsOk());

  EXPECT_THAT(link_.TakeSent(),
              ElementsAre(Field(&Frame::lane, Lane::kTraining),
                          Field(&Frame::lane, Lane::kEvaluation)));
}

TEST_F(OutboxTest, SaysThatThePeerIsLost) {
  ASSERT_THAT(outbox_.Send(FrameOf(0)), IsOk());
  ASSERT_THAT(outbox_.Send(FrameOf(1)), IsOk());

  link_.Break(absl::UnavailableError("gone"));

  EXPECT_THAT(outbox_.Flush(), StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace stagecoach

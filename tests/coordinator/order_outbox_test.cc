#include "coordinator/order_outbox.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;

TEST(OrderOutboxTest, KeepsOrdersUntilTheyAreConfirmed) {
  OrderOutbox outbox;
  outbox.Add(StartStages{});
  outbox.Add(StartStages{});
  outbox.Add(StartStages{});

  outbox.Confirm(2);

  EXPECT_THAT(outbox.waiting(), ElementsAre(testing::Pair(3, testing::_)));
}

TEST(OrderOutboxTest, NumbersOnAfterItWasCleared) {
  OrderOutbox outbox;
  outbox.Add(StartStages{});
  outbox.Clear();

  EXPECT_THAT(outbox.waiting(), IsEmpty());
  EXPECT_EQ(outbox.Add(StartStages{}).first, 2);
}

TEST(OrderOutboxTest, IgnoresAConfirmationThatCameLate) {
  OrderOutbox outbox;
  outbox.Confirm(7);
  outbox.Confirm(3);

  EXPECT_EQ(outbox.Add(StartStages{}).first, 8);
}

}  // namespace
}  // namespace stagecoach

#include "coordinator/recovery.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(RecoveryTest, TriesAgainWhenAMachineFailed) {
  EXPECT_EQ(FinalCause({.kind = "worker_lost"}, 0), std::nullopt);
  EXPECT_EQ(FinalCause({.kind = "link_lost"}, 2), std::nullopt);
}

TEST(RecoveryTest, FailsAtOnceForACauseInTheJob) {
  for (const char* kind : {"data", "invalid", "non_finite", "contract", "torch",
                           "memory", "deadline", "internal", "something new"}) {
    const Cause cause = {.kind = kind, .stage = 1, .text = "why"};

    EXPECT_EQ(FinalCause(cause, 0), cause) << kind;
  }
}

TEST(RecoveryTest, GivesUpAfterThreeRecoveries) {
  const auto cause =
      FinalCause({.kind = "worker_lost", .text = "worker b is lost"}, 3);

  ASSERT_TRUE(cause.has_value());
  EXPECT_EQ(cause->kind, "worker_lost");
  EXPECT_EQ(cause->text, "worker b is lost; given up after 3 recoveries");
}

}  // namespace
}  // namespace stagecoach

#include "worker/observers/stage_meter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/support/small_job.h"

namespace stagecoach {
namespace {

class StageMeterTest : public testing::Test {
 protected:
  void RunPass(Pass pass, int seconds) {
    meter_.OnPassBegin(pass, ItemId(0));
    clock_.Advance(absl::Seconds(seconds));
    meter_.OnPassEnd(pass, ItemId(0));
  }
  void Wait(WaitReason reason, int seconds) {
    meter_.OnWait(reason);
    clock_.Advance(absl::Seconds(seconds));
  }
  void Update(int64_t item, int64_t staleness, int64_t stored_inputs) {
    meter_.OnUpdate({.item = ItemId(item),
                     .forward_version = item - staleness,
                     .backward_version = item,
                     .staleness = staleness,
                     .stored_inputs = stored_inputs,
                     .samples = 8});
  }

  FakeClock clock_;
  StageMeter meter_{Resolved(SmallMlp({1, 2}, {4, 2, 0})), StageIndex(1),
                    WorkerName("w1"), clock_};
};

TEST_F(StageMeterTest, SaysWhereTheTimeWent) {
  RunPass(Pass::kData, 1);
  RunPass(Pass::kForward, 3);
  Wait(WaitReason::kInput, 2);
  Wait(WaitReason::kGradient, 4);
  RunPass(Pass::kBackward, 5);
  Wait(WaitReason::kCredit, 5);

  const StageStatus status = meter_.Status();

  EXPECT_EQ(status.seconds, 20);
  EXPECT_DOUBLE_EQ(status.waiting_data, 1 / 20.0);
  EXPECT_DOUBLE_EQ(status.busy, 8 / 20.0);
  EXPECT_DOUBLE_EQ(status.waiting_input, 2 / 20.0);
  EXPECT_DOUBLE_EQ(status.waiting_gradient, 4 / 20.0);
  EXPECT_DOUBLE_EQ(status.waiting_credit, 5 / 20.0);
  EXPECT_EQ(status.waiting_for, "credit");
}

TEST_F(StageMeterTest, WhatWentBeforeTheStartIsNotCounted) {
  clock_.Advance(absl::Seconds(30));  // until the links are there
  meter_.Start();
  RunPass(Pass::kForward, 1);
  Wait(WaitReason::kInput, 3);

  const StageStatus status = meter_.Status();

  EXPECT_EQ(status.seconds, 4);
  EXPECT_DOUBLE_EQ(status.busy, 0.25);
  EXPECT_DOUBLE_EQ(status.waiting_input, 0.75);
}

TEST_F(StageMeterTest, NamesItsPlaceInTheJob) {
  const StageStatus status = meter_.Status();

  EXPECT_EQ(status.stage, StageIndex(1));
  EXPECT_EQ(status.worker, WorkerName("w1"));
  EXPECT_EQ(status.first_unit, 1);
  EXPECT_EQ(status.end_unit, 2);
  EXPECT_EQ(status.staleness.after_fill, 2);
  EXPECT_EQ(status.waiting_for, "");
}

TEST_F(StageMeterTest, FollowsTheStalenessOfTheUpdates) {
  Update(/*item=*/0, /*staleness=*/0, /*stored_inputs=*/3);
  Update(1, 1, 3);
  Update(2, 2, 3);
  Update(3, 2, 2);

  const StageStatus status = meter_.Status();

  EXPECT_EQ(status.version, 4);
  EXPECT_EQ(status.applied, 4);
  EXPECT_EQ(status.staleness, (Staleness{.minimum = 0,
                                         .maximum = 2,
                                         .last = 2,
                                         .after_fill = 2,
                                         .violations = 0}));
  EXPECT_EQ(status.stored_inputs_peak, 3);
}

TEST_F(StageMeterTest, CountsStalenessThatTheMethodDoesNotPromise) {
  Update(/*item=*/0, /*staleness=*/0, /*stored_inputs=*/1);
  Update(1, 0, 1);
  Update(2, 2, 1);

  EXPECT_EQ(meter_.Status().staleness.violations, 1);
}

TEST_F(StageMeterTest, TrainingFiguresAreTheLastStages) {
  RunPass(Pass::kForward, 1);
  Update(0, 0, 1);

  EXPECT_EQ(meter_.Training(), TrainingFigures());
}

}  // namespace
}  // namespace stagecoach

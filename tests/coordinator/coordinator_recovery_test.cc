// Workers, links and the coordinator itself fail.

#include "gmock/gmock.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using CoordinatorRecoveryTest = CoordinatorTest;

TEST_F(CoordinatorRecoveryTest, TakesASilentWorkerForLostAfterItsLease) {
  const JobId job = RunningJob();

  Pass(absl::Seconds(11), {&left_});

  EXPECT_EQ(coordinator_->Workers()[1].state, "lost");
  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
  EXPECT_EQ(StatusOf(job).cause->kind, "worker_lost");
  EXPECT_EQ(StatusOf(job).cause->text,
            "worker right is lost: it was silent for 10s");
  EXPECT_THAT(right_.control().closed(),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(metrics_.Scrape(),
              HasSubstr("coordinator_lease_expirations_total 1"));
}

TEST_F(CoordinatorRecoveryTest, ForgivesAConnectionThatIsBackInTime) {
  const JobId job = RunningJob();

  right_.Disconnect();
  Pass(absl::Seconds(1), {&left_});
  Join(right_);
  Pass(absl::Seconds(5), {&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  EXPECT_EQ(StatusOf(job).recoveries, 0);
}

TEST_F(CoordinatorRecoveryTest, SendsOrdersAgainThatAConnectionLost) {
  Join(left_);
  Join(right_);
  right_.hello().last_order = 0;
  const JobId job = Submit();
  right_.Disconnect();
  InspectData(left_);
  EXPECT_THAT(right_.Orders<PrepareStages>(), IsEmpty());

  Join(right_);

  EXPECT_EQ(right_.control().welcomed_with(), 0);
  EXPECT_THAT(right_.Orders<PrepareStages>(), SizeIs(1));
  Prepare({&left_, &right_});
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

TEST_F(CoordinatorRecoveryTest, TellsAWorkerThatIsBackWhatWasReceived) {
  const JobId job = RunningJob();
  right_.Send(LogLine{job, "before"});
  right_.Disconnect();

  Join(right_);

  EXPECT_EQ(right_.control().welcomed_with(), 2);
}

TEST_F(CoordinatorRecoveryTest, IgnoresASessionThatWasReplaced) {
  RunningJob();
  FakeWorker old = right_;
  Join(right_);

  old.Disconnect();
  Pass(absl::Seconds(5), {&left_, &right_});

  EXPECT_EQ(coordinator_->Workers()[1].state, "busy");
  EXPECT_THAT(old.control().closed(), StatusIs(absl::StatusCode::kAborted));
}

TEST_F(CoordinatorRecoveryTest, StartsAgainWhenAWorkerWasStartedAgain) {
  const JobId job = RunningJob();
  FakeWorker again(HelloOf("right", 1, /*incarnation=*/2));

  Join(again);
  EXPECT_THAT(right_.control().closed(), StatusIs(absl::StatusCode::kAborted));
  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
  Stopped({&left_});

  ASSERT_THAT(again.Orders<PrepareStages>(), SizeIs(1));
  const Plan plan = again.Orders<PrepareStages>()[0].plan;
  EXPECT_EQ(plan.generation, Generation(2));
  EXPECT_EQ(plan.places[1].incarnation, Incarnation(2));
  Prepare({&left_, &again});
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  EXPECT_EQ(StatusOf(job).cause, std::nullopt);
  EXPECT_EQ(StatusOf(job).recoveries, 1);
  EXPECT_THAT(metrics_.Scrape(), HasSubstr("coordinator_recoveries_total 1"));
}

TEST_F(CoordinatorRecoveryTest, KeepsTheCutsAndFactsOfThePlan) {
  const JobId job = RunningJob();
  const Plan first = left_.Orders<PrepareStages>()[0].plan;

  left_.Send(StageFailed{job, Generation(1), {.kind = "link_lost"}});
  Run();
  Stopped({&left_, &right_});

  EXPECT_THAT(left_.Orders<stagecoach::InspectData>(), SizeIs(1));
  ASSERT_THAT(left_.Orders<PrepareStages>(), SizeIs(2));
  const Plan second = left_.Orders<PrepareStages>()[1].plan;
  EXPECT_EQ(second.generation, Generation(2));
  EXPECT_EQ(second.spec, first.spec);
  EXPECT_EQ(second.facts, first.facts);
}

TEST_F(CoordinatorRecoveryTest, WaitsForEnoughWorkers) {
  const JobId job = RunningJob();
  right_.Disconnect();
  Pass(absl::Seconds(3), {&left_});
  Stopped({&left_});
  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
  EXPECT_EQ(StatusOf(job).reason,
            "needs 2 slots, 1 worker with 1 free slot is here");

  Pass(absl::Hours(1), {&left_});
  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
  FakeWorker other(HelloOf("other"));
  Join(other);

  EXPECT_THAT(other.Orders<PrepareStages>(), SizeIs(1));
}

TEST_F(CoordinatorRecoveryTest, CountsOneLossOnceHoweverManyNoticeIt) {
  const JobId job = RunningJob();

  left_.Send(StageFailed{job, Generation(1), {.kind = "link_lost"}});
  right_.Send(StageFailed{job, Generation(1), {.kind = "link_lost"}});
  right_.Disconnect();
  Pass(absl::Seconds(3), {&left_});

  EXPECT_EQ(StatusOf(job).recoveries, 1);
}

TEST_F(CoordinatorRecoveryTest, FailsAfterThreeRecoveries) {
  const JobId job = RunningJob();
  for (int generation = 1; generation <= 3; ++generation) {
    left_.Send(StageFailed{job,
                           Generation(generation),
                           {.kind = "link_lost", .text = "link 0-1 broke"}});
    Run();
    ASSERT_EQ(StatusOf(job).state, JobState::kRecovering);
    Stopped({&left_, &right_});
    Prepare({&left_, &right_});
    ASSERT_EQ(StatusOf(job).state, JobState::kRunning);
  }

  left_.Send(StageFailed{
      job, Generation(4), {.kind = "link_lost", .text = "link 0-1 broke"}});
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kFailed);
  EXPECT_EQ(StatusOf(job).recoveries, 3);
  EXPECT_EQ(StatusOf(job).cause->text,
            "link 0-1 broke; given up after 3 recoveries");
}

TEST_F(CoordinatorRecoveryTest, RecoversWhatHadNotBegunToTrain) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();

  left_.Disconnect();
  Pass(absl::Seconds(3), {&right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
  Join(left_);
  EXPECT_THAT(right_.Orders<StopStages>(), SizeIs(1));
}

TEST_F(CoordinatorRecoveryTest, PutsARecoveringJobBeforeQueuedOnes) {
  const JobId first = RunningJob();
  const JobId second = Submit();

  left_.Send(StageFailed{first, Generation(1), {.kind = "link_lost"}});
  Run();
  Stopped({&left_, &right_});

  EXPECT_EQ(left_.Orders<PrepareStages>().back().plan.job, first);
  EXPECT_EQ(StatusOf(second).state, JobState::kQueued);
}

TEST_F(CoordinatorRecoveryTest, IgnoresReportsOfAnOlderGeneration) {
  const JobId job = RunningJob();
  left_.Send(StageFailed{job, Generation(1), {.kind = "link_lost"}});
  Run();
  Stopped({&left_, &right_});
  Prepare({&left_, &right_});

  left_.Send(Finished(job, 1, 0, "a"));
  right_.Send(Finished(job, 1, 1, "b"));
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

TEST_F(CoordinatorRecoveryTest, StopsWhatAWorkerRunsThatNobodyWaitsFor) {
  right_.hello().running = {{.job = JobId("job-77"),
                             .generation = Generation(3),
                             .stage = StageIndex(1)}};

  Join(right_);

  ASSERT_THAT(right_.Orders<StopStages>(), SizeIs(1));
  EXPECT_EQ(right_.Orders<StopStages>()[0].job, JobId("job-77"));
  EXPECT_EQ(coordinator_->Workers()[0].state, "busy");
  Stopped({&right_});
  EXPECT_EQ(coordinator_->Workers()[0].state, "idle");
}

TEST_F(CoordinatorRecoveryTest, StopsTheStagesOfAWorkerThatWasFrozen) {
  const JobId job = RunningJob();
  Pass(absl::Seconds(11), {&left_});
  right_.hello().running = {
      {.job = job, .generation = Generation(1), .stage = StageIndex(1)}};

  Join(right_);

  ASSERT_THAT(right_.Orders<StopStages>(), SizeIs(1));
  Stopped({&left_, &right_});
  EXPECT_EQ(right_.Orders<PrepareStages>().back().plan.generation,
            Generation(2));
}

// --- The coordinator is restarted.

class CoordinatorRestartTest : public CoordinatorTest {
 protected:
  void Hold(FakeWorker& worker, const JobId& job, int stage) {
    worker.hello().running = {
        {.job = job, .generation = Generation(1), .stage = StageIndex(stage)}};
  }
};

TEST_F(CoordinatorRestartTest, FindsQueuedJobsAgain) {
  const JobId job = Submit();

  Restart();

  EXPECT_EQ(StatusOf(job).state, JobState::kQueued);
  Join(left_);
  Join(right_);
  EXPECT_EQ(StatusOf(job).state, JobState::kStarting);
  EXPECT_NE(Submit(), job);
}

TEST_F(CoordinatorRestartTest, AdoptsAJobWhoseWorkersStillRunIt) {
  const JobId job = RunningJob();
  Hold(left_, job, 0);
  Hold(right_, job, 1);

  Restart();
  Join(left_);
  Join(right_);
  Pass(absl::Seconds(30), {&left_, &right_});
  left_.Send(Finished(job, 1, 0, "a"));
  right_.Send(Finished(job, 1, 1, "b"));
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kSucceeded);
  EXPECT_EQ(StatusOf(job).recoveries, 0);
  EXPECT_EQ(StatusOf(job).generation, Generation(1));
}

TEST_F(CoordinatorRestartTest, TakesReportsThatWaitedForIt) {
  const JobId job = RunningJob();
  left_.Send(Finished(job, 1, 0, "a"));
  Run();
  Hold(right_, job, 1);

  Restart();
  Join(left_);
  Join(right_);
  right_.Send(Finished(job, 1, 1, "b"));
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kSucceeded);
  EXPECT_THAT(left_.Orders<StopStages>(), SizeIs(1));
}

TEST_F(CoordinatorRestartTest, RecoversAJobWhoseWorkerDoesNotReturn) {
  const JobId job = RunningJob();
  Hold(left_, job, 0);

  Restart();
  Join(left_);
  Pass(absl::Seconds(9), {&left_});
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  Pass(absl::Seconds(2), {&left_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
  EXPECT_THAT(StatusOf(job).cause->text,
              HasSubstr("worker right did not return with its stages within "
                        "10s of the coordinator's restart"));
  EXPECT_THAT(left_.Orders<StopStages>(), SizeIs(1));
}

TEST_F(CoordinatorRestartTest, DoesNotAdoptAnotherIncarnation) {
  const JobId job = RunningJob();
  Hold(left_, job, 0);
  FakeWorker again(HelloOf("right", 1, /*incarnation=*/2));

  Restart();
  Join(left_);
  Join(again);
  Pass(absl::Seconds(11), {&left_, &again});

  EXPECT_EQ(StatusOf(job).state, JobState::kRecovering);
}

TEST_F(CoordinatorRestartTest, BeginsAgainWhatHadNotBegunToTrain) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  InspectData(left_);
  ASSERT_EQ(StatusOf(job).state, JobState::kStarting);

  Restart();
  EXPECT_EQ(StatusOf(job).state, JobState::kQueued);
  Join(left_);
  Join(right_);
  Prepare({&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  EXPECT_EQ(StatusOf(job).generation, Generation(2));
}

TEST_F(CoordinatorRestartTest, GoesOnRecovering) {
  const JobId job = RunningJob();
  left_.Send(StageFailed{job, Generation(1), {.kind = "link_lost"}});
  Run();

  Restart();
  Join(left_);
  Join(right_);
  Prepare({&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  EXPECT_EQ(StatusOf(job).recoveries, 1);
}

TEST_F(CoordinatorRestartTest, KeepsWhatHasEnded) {
  const JobId job = RunningJob();
  left_.Send(Finished(job, 1, 0, "a"));
  right_.Send(Finished(job, 1, 1, "b"));
  Run();
  const JobStatus ended = StatusOf(job);

  Restart();

  EXPECT_EQ(StatusOf(job), ended);
}

TEST_F(CoordinatorRestartTest, NumbersEventsOn) {
  const JobId job = Submit();
  Restart();
  Join(left_);
  Join(right_);

  const std::vector<JobEvent> events = EventsOf(job);
  for (size_t index = 0; index < events.size(); ++index) {
    EXPECT_EQ(events[index].sequence, static_cast<int64_t>(index) + 1);
  }
  EXPECT_GE(events.size(), 2u);
}

}  // namespace
}  // namespace stagecoach

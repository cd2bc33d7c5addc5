// The life of a job, led through its phases by the workers' reports.

#include "core/digest/sha256.h"
#include "gmock/gmock.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using CoordinatorFlowTest = CoordinatorTest;

TEST_F(CoordinatorFlowTest, AsksTheFirstWorkerAboutTheData) {
  Join(left_);
  Join(right_);

  const JobId job = Submit();

  EXPECT_EQ(StatusOf(job).state, JobState::kStarting);
  ASSERT_THAT(left_.Orders<stagecoach::InspectData>(), SizeIs(1));
  EXPECT_EQ(left_.Orders<stagecoach::InspectData>()[0].generation,
            Generation(1));
  EXPECT_THAT(right_.Orders<stagecoach::InspectData>(), IsEmpty());
}

TEST_F(CoordinatorFlowTest, PlansWithWhatTheDataIs) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();

  InspectData(left_);

  ASSERT_THAT(right_.Orders<PrepareStages>(), SizeIs(1));
  const Plan plan = right_.Orders<PrepareStages>()[0].plan;
  EXPECT_EQ(plan.job, job);
  EXPECT_EQ(plan.generation, Generation(1));
  EXPECT_EQ(plan.facts, SmallFacts());
  EXPECT_THAT(plan.spec.partition.cuts, testing::ElementsAre(1));
  ASSERT_THAT(plan.places, SizeIs(2));
  EXPECT_EQ(plan.places[0].worker, WorkerName("left"));
  EXPECT_EQ(plan.places[1].data_address, "right:7071");
  const JobStatus status = StatusOf(job);
  EXPECT_EQ(status.steps, 20);
  EXPECT_EQ(status.steps_per_epoch, 10);
  EXPECT_EQ(status.build, "build");
  ASSERT_THAT(status.stages, SizeIs(2));
  EXPECT_EQ(status.stages[0].parameters, 4 * 8 + 8);
  EXPECT_EQ(status.stages[0].staleness.after_fill, 2);
  EXPECT_EQ(status.stages[1].parameters, 8 * 2 + 2);
}

TEST_F(CoordinatorFlowTest, OrdersNothingBeforeThePlanIsStored) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  left_.Send(DataInspected{job, Generation(1), SmallFacts()});
  EXPECT_FALSE(store_.LoadJobs()->front().plan.has_value());
  EXPECT_THAT(left_.Orders<PrepareStages>(), IsEmpty());

  Run();

  EXPECT_TRUE(store_.LoadJobs()->front().plan.has_value());
  EXPECT_THAT(left_.Orders<PrepareStages>(), SizeIs(1));
}

TEST_F(CoordinatorFlowTest, StartsWhenAllStagesArePrepared) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  InspectData(left_);

  Prepare({&left_});
  EXPECT_THAT(left_.Orders<StartStages>(), IsEmpty());
  EXPECT_EQ(StatusOf(job).state, JobState::kStarting);
  Prepare({&right_});

  EXPECT_THAT(left_.Orders<StartStages>(), SizeIs(1));
  EXPECT_THAT(right_.Orders<StartStages>(), SizeIs(1));
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

TEST_F(CoordinatorFlowTest, ShowsProgressAsItIsReported) {
  const JobId job = RunningJob();

  right_.Send(StageProgressed{job,
                              Generation(1),
                              {.stage = StageIndex(1), .version = 7},
                              {.samples = 70, .epoch_loss = 0.5}});
  right_.Send(CutEvaluated{
      job, Generation(1), {.version = 10, .loss = 0.3, .accuracy = 0.9}});
  Run();

  EXPECT_EQ(StatusOf(job).step, 7);
  EXPECT_EQ(StatusOf(job).training.samples, 70);
  EXPECT_EQ(StatusOf(job).best_evaluation->version, 10);
  EXPECT_THAT(metrics_.Scrape(), HasSubstr("job_loss{job=\"job-1\"} 0.5"));
}

TEST_F(CoordinatorFlowTest, SucceedsWhenAllStagesHaveFinished) {
  const JobId job = RunningJob();

  right_.Send(Finished(job, 1, 1, "b\n"));
  Run();
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  left_.Send(Finished(job, 1, 0, "a\n"));
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kSucceeded);
  EXPECT_EQ(StatusOf(job).weights_digest, Sha256Hex("a\nb\n"));
  EXPECT_EQ(store_.LoadJobs()->front().status, StatusOf(job));
  EXPECT_THAT(left_.Orders<StopStages>(), SizeIs(1));
  EXPECT_THAT(right_.Orders<StopStages>(), SizeIs(1));
}

TEST_F(CoordinatorFlowTest, GivesSlotsToTheNextJobOnceStagesAreStopped) {
  const JobId first = RunningJob();
  const JobId second = Submit();
  EXPECT_EQ(StatusOf(second).reason,
            "needs 2 slots, 2 workers with 0 free slots are here");
  left_.Send(Finished(first, 1, 0, "a"));
  right_.Send(Finished(first, 1, 1, "b"));
  Run();
  EXPECT_EQ(StatusOf(second).state, JobState::kQueued);

  Stopped({&left_, &right_});

  EXPECT_EQ(StatusOf(second).state, JobState::kStarting);
  EXPECT_EQ(StatusOf(second).reason, "");
}

TEST_F(CoordinatorFlowTest, RunsSeveralJobsWhereWorkersSuffice) {
  RunningJob();
  FakeWorker third(HelloOf("third", /*slots=*/2));
  Join(third);

  const JobId second = Submit();

  EXPECT_EQ(StatusOf(second).state, JobState::kStarting);
  EXPECT_THAT(third.Orders<stagecoach::InspectData>(), SizeIs(1));
}

TEST_F(CoordinatorFlowTest, FailsWhenTheDataCannotBeRead) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();

  left_.Send(DataInspected{job, Generation(1),
                           absl::NotFoundError("/data: no such folder")});
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kFailed);
  EXPECT_EQ(StatusOf(job).cause->kind, "data");
  EXPECT_EQ(StatusOf(job).cause->text, "on worker left: /data: no such folder");
}

TEST_F(CoordinatorFlowTest, FailsWhenTheJobDoesNotFitItsData) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  DataFacts facts = SmallFacts();
  facts.sample = {1, 5, 5};

  left_.Send(DataInspected{job, Generation(1), facts});
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kFailed);
  EXPECT_EQ(StatusOf(job).cause->kind, "invalid");
  EXPECT_THAT(left_.Orders<PrepareStages>(), IsEmpty());
}

TEST_F(CoordinatorFlowTest, FailsWhenAWorkerLacksSomething) {
  left_.hello().registries["method"] = {"bp"};
  Join(left_);
  Join(right_);

  const JobId job = Submit();

  EXPECT_EQ(StatusOf(job).state, JobState::kFailed);
  EXPECT_THAT(StatusOf(job).cause->text, HasSubstr("method \"dsp\""));
}

TEST_F(CoordinatorFlowTest, FailsForWhatLiesInTheJob) {
  const JobId job = RunningJob();

  right_.Send(StageFailed{
      job,
      Generation(1),
      {.kind = "non_finite", .stage = 1, .step = 5, .text = "loss is nan"}});
  Run();

  const JobStatus status = StatusOf(job);
  EXPECT_EQ(status.state, JobState::kFailed);
  EXPECT_EQ(status.cause->kind, "non_finite");
  EXPECT_EQ(status.cause->step, 5);
  EXPECT_EQ(status.recoveries, 0);
  EXPECT_THAT(left_.Orders<StopStages>(), SizeIs(1));
}

TEST_F(CoordinatorFlowTest, KeepsTheLastMovesOfAFailedJob) {
  const JobId job = RunningJob();
  right_.Send(StageFailed{job, Generation(1), {.kind = "torch"}});
  Run();
  ASSERT_THAT(left_.Orders<RequestFlightRecord>(), SizeIs(1));

  left_.Send(FlightRecord{job, Generation(1), StageIndex(0), {"F3", "B1"}});
  Run();

  EXPECT_EQ(Events(job, "moves"), "stage 0: F3\nstage 0: B1\n");
}

TEST_F(CoordinatorFlowTest, KeepsTheLinesThatWorkersLog) {
  const JobId job = RunningJob();

  left_.Send(LogLine{job, "stage 0: 2 threads"});
  Run();

  EXPECT_EQ(Events(job, "log"), "stage 0: 2 threads\n");
}

TEST_F(CoordinatorFlowTest, TakesAReportOnceAndConfirmsItTwice) {
  const JobId job = RunningJob();

  left_.Send(LogLine{job, "once"});
  left_.SendAgain(LogLine{job, "once"});
  Run();

  EXPECT_EQ(Events(job, "log"), "once\n");
  EXPECT_EQ(left_.control().acknowledged(), 3);
}

TEST_F(CoordinatorFlowTest, ConfirmsAReportOnlyWhenItIsStored) {
  const JobId job = RunningJob();
  store_.FailWith(absl::ResourceExhaustedError("the disk is full"));

  left_.Send(Finished(job, 1, 0, "a\n"));
  Run();

  EXPECT_EQ(left_.control().acknowledged(), 2);
}

TEST_F(CoordinatorFlowTest, IgnoresWorkersThatHaveNoPartInTheJob) {
  const JobId job = RunningJob();
  FakeWorker stranger(HelloOf("stranger"));
  Join(stranger);

  stranger.Send(StageFailed{job, Generation(1), {.kind = "internal"}});
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

TEST_F(CoordinatorFlowTest, IgnoresStagesThatCannotHaveFinished) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  left_.Send(Finished(job, 1, 0, "a\n"));  // there is no plan yet
  InspectData(left_);
  left_.Send(Finished(job, 1, 0, "a\n"));  // nor has it been started
  right_.Send(Finished(job, 1, 1, "b\n"));
  Prepare({&left_, &right_});
  left_.Send(Finished(job, 1, 0, "a\n"));
  left_.Send(Finished(job, 1, 1, "b\n"));  // the stage of another worker
  left_.Send(Finished(job, 1, 7, "c\n"));  // a stage that is not

  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

TEST_F(CoordinatorFlowTest, FailsWhenTheDataIsNotDescribedInTime) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();

  Pass(absl::Seconds(61), {&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kFailed);
  EXPECT_EQ(StatusOf(job).cause->kind, "deadline");
  EXPECT_EQ(StatusOf(job).cause->text,
            "worker left did not describe the data within 1m");
}

TEST_F(CoordinatorFlowTest, FailsWhenStagesAreNotBuiltInTime) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  InspectData(left_);
  Prepare({&left_});

  Pass(absl::Seconds(121), {&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kFailed);
  EXPECT_EQ(StatusOf(job).cause->kind, "deadline");
  EXPECT_EQ(StatusOf(job).cause->text,
            "worker right did not build its stages within 2m");
}

TEST_F(CoordinatorFlowTest, TakesAWorkerForLostThatDoesNotStop) {
  const JobId job = RunningJob();
  EXPECT_THAT(Cancel(job), IsOk());
  Stopped({&left_});

  Pass(absl::Seconds(31), {&left_, &right_});

  EXPECT_EQ(coordinator_->Workers()[0].state, "idle");
  EXPECT_EQ(coordinator_->Workers()[1].state, "lost");
  EXPECT_THAT(right_.control().closed(),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("did not drop the stages of job-1")));
}

TEST_F(CoordinatorFlowTest, RunsForAsLongAsItTakes) {
  const JobId job = RunningJob();

  Pass(absl::Hours(2), {&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

}  // namespace
}  // namespace stagecoach

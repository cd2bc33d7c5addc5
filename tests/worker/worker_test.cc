#include "worker/worker.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/resolve/resolved_job.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/tiny_job.h"
#include "tests/worker/worker_fixture.h"

namespace stagecoach {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

const JobId kJob("job-1");

class WorkerTest : public WorkerFixture {
 protected:
  TestWorker& Add(const std::string& name, Worker::Options options = {}) {
    workers_.push_back(std::make_unique<TestWorker>(name, world_, options));
    return *workers_.back();
  }

  // Prepares the plan everywhere and starts it.
  void Run(const Plan& plan, const std::vector<TestWorker*>& on) {
    const std::set<TestWorker*> workers(on.begin(), on.end());
    for (TestWorker* worker : workers) {
      worker->cluster.Give(PrepareStages{plan});
    }
    RunUntilIdle();
    for (TestWorker* worker : workers) {
      ASSERT_THAT(worker->cluster.Take<StagesPrepared>(), SizeIs(1));
      worker->cluster.Give(StartStages{plan.job, plan.generation});
    }
  }

  std::vector<std::unique_ptr<TestWorker>> workers_;
};

// "stage 0: worker-a at version 16" of what finished.
std::vector<std::string> Finished(TestWorker& worker) {
  std::vector<std::string> all;
  for (const StageFinished& one : worker.cluster.Take<StageFinished>()) {
    all.push_back(absl::StrCat("stage ", one.status.stage.value(), ": ",
                               one.status.worker.value(), " at version ",
                               one.status.version));
  }
  return all;
}

std::vector<std::string> Digest(TestWorker& worker) {
  std::vector<std::string> lines;
  for (const StageFinished& one : worker.cluster.Take<StageFinished>()) {
    lines.insert(lines.end(), one.digest_lines.begin(), one.digest_lines.end());
  }
  return lines;
}

std::string OnlyCause(TestWorker& worker) {
  const auto failures = worker.cluster.Take<StageFailed>();
  if (failures.size() != 1) {
    return absl::StrCat(failures.size(), " failures");
  }
  return failures[0].cause.kind + ": " + failures[0].cause.text;
}

TEST_F(WorkerTest, AnswersWithTheFactsOfTheData) {
  TestWorker& worker = Add("a");

  worker.cluster.Give(InspectData{
      kJob, Generation(1),
      ResolveSpec(TinySpec(folder_.path(), /*stages=*/1, 1)).value()});
  RunUntilIdle();

  const auto reports = worker.cluster.Take<DataInspected>();
  ASSERT_THAT(reports, SizeIs(1));
  EXPECT_EQ(reports[0].generation, Generation(1));
  EXPECT_THAT(reports[0].facts, IsOkAndHolds(TinyFacts()));
}

TEST_F(WorkerTest, AnswersWithWhatIsWrongWithTheData) {
  TestWorker& worker = Add("a");

  worker.cluster.Give(InspectData{
      kJob, Generation(1),
      ResolveSpec(TinySpec("/no/such/folder", /*stages=*/1, 1)).value()});
  RunUntilIdle();

  const auto reports = worker.cluster.Take<DataInspected>();
  ASSERT_THAT(reports, SizeIs(1));
  EXPECT_THAT(reports[0].facts, StatusIs(absl::StatusCode::kNotFound,
                                         HasSubstr("/no/such/folder")));
}

TEST_F(WorkerTest, RefusesADeviceThatItLacks) {
  TestWorker& worker = Add("a");
  Plan plan = PlanFor({&worker});
  plan.spec.resources.device = "cuda";

  worker.cluster.Give(PrepareStages{plan});
  RunUntilIdle();

  EXPECT_EQ(OnlyCause(worker),
            "invalid: resources.device: cuda: worker a computes on cpu; use "
            "cpu");
}

TEST_F(WorkerTest, RunsOnTheDeviceOfTheJobNotOnItsBest) {
  TestWorker& worker = Add("a", {.device = "cuda"});
  Plan plan = PlanFor({&worker});
  for (const char* device : {"cpu", "cuda"}) {
    plan.generation = Generation(plan.generation.value() + 1);
    plan.spec.resources.device = device;
    worker.cluster.Give(PrepareStages{plan});
    RunUntilIdle();
    EXPECT_THAT(worker.cluster.Take<StagesPrepared>(), SizeIs(1));
    EXPECT_EQ(worker.stages.last_device(), device);
  }
}

TEST_F(WorkerTest, RunsTheStagesOfAPlanToTheirEnd) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");

  Run(PlanFor({&a, &b}), {&a, &b});
  RunUntilIdle();

  // 64 samples in batches of 8, twice.
  EXPECT_THAT(Finished(a), ElementsAre("stage 0: a at version 16"));
  EXPECT_THAT(Finished(b), ElementsAre("stage 1: b at version 16"));
  EXPECT_THAT(a.cluster.Take<StageFailed>(), IsEmpty());
}

TEST_F(WorkerTest, ReportsEachEvaluatedCut) {
  TestWorker& a = Add("a");

  Run(PlanFor({&a}), {&a});
  RunUntilIdle();

  const auto cuts = a.cluster.Take<CutEvaluated>();
  ASSERT_THAT(cuts, SizeIs(2));
  EXPECT_EQ(cuts[0].evaluation.version, 8);
  EXPECT_EQ(cuts[1].evaluation.version, 16);
}

TEST_F(WorkerTest, RunsSeveralStagesInSlotsWithTheSameResult) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  TestWorker& both = Add("both", {.slots = 2});
  Run(PlanFor({&a, &b}), {&a, &b});
  RunUntilIdle();
  std::vector<std::string> apart = Digest(a);
  for (const std::string& line : Digest(b)) apart.push_back(line);

  Run(PlanFor({&both, &both}), {&both});
  RunUntilIdle();

  EXPECT_THAT(apart, SizeIs(2));
  EXPECT_THAT(Digest(both), UnorderedElementsAreArray(apart));
}

TEST_F(WorkerTest, ShowsTheStalenessThatTheMethodPromises) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");

  Run(PlanFor({&a, &b}), {&a, &b});
  RunUntilIdle();

  const auto lower = a.cluster.Take<StageFinished>();
  ASSERT_THAT(lower, SizeIs(1));
  EXPECT_EQ(lower[0].status.staleness.maximum,
            lower[0].status.staleness.after_fill);
  EXPECT_GT(lower[0].status.staleness.after_fill, 0);
  EXPECT_EQ(lower[0].status.staleness.violations, 0);
}

TEST_F(WorkerTest, ReportsProgressTwiceASecondWhileAStageRuns) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  b.stages.FailAt(StageIndex(1), ItemId(5), absl::DataLossError("stuck"));
  Run(PlanFor({&a, &b}), {&a, &b});
  RunUntilIdle();  // stage 0 waits for the gradient of item 5

  Advance(absl::Milliseconds(1000));

  const auto reports = a.cluster.Take<StageProgressed>();
  ASSERT_THAT(reports, SizeIs(2));
  EXPECT_EQ(reports[1].status.stage, StageIndex(0));
  EXPECT_EQ(reports[1].status.version, 5);
  EXPECT_EQ(reports[1].status.waiting_for, "gradient");
  EXPECT_THAT(b.cluster.Take<StageProgressed>(), IsEmpty());
}

TEST_F(WorkerTest, SaysWhatItHoldsInAHello) {
  TestWorker& a = Add("a", {.slots = 2});
  const Plan plan = PlanFor({&a, &a}, /*generation=*/3);

  Run(plan, {&a});
  RunUntilIdle();

  EXPECT_THAT(
      a.cluster.Running(),
      ElementsAre(RunningStage{kJob, Generation(3), StageIndex(0), 16},
                  RunningStage{kJob, Generation(3), StageIndex(1), 16}));
}

TEST_F(WorkerTest, DropsStagesWhenToldTo) {
  TestWorker& a = Add("a", {.slots = 2});
  Run(PlanFor({&a, &a}), {&a});
  RunUntilIdle();
  ASSERT_EQ(a.stages.alive(), 2);

  a.cluster.Give(StopStages{kJob, Generation(1), "the job has ended"});
  RunUntilIdle();

  EXPECT_EQ(a.stages.alive(), 0);
  EXPECT_THAT(a.cluster.Take<StagesStopped>(), SizeIs(1));
  EXPECT_THAT(a.cluster.Running(), IsEmpty());
}

TEST_F(WorkerTest, AnswersAStopOfWhatItDoesNotHold) {
  TestWorker& a = Add("a");

  a.cluster.Give(StopStages{kJob, Generation(1), "nobody knows it"});

  EXPECT_THAT(a.cluster.Take<StagesStopped>(), SizeIs(1));
}

TEST_F(WorkerTest, StopsWhileStagesAreBeingPrepared) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  b.cluster.Give(PrepareStages{PlanFor({&a, &b})});
  executor_.RunOne();  // somewhere in the middle

  b.cluster.Give(StopStages{kJob, Generation(1), "cancelled"});
  RunUntilIdle();

  EXPECT_EQ(b.stages.alive(), 0);
  EXPECT_THAT(b.cluster.Take<StagesPrepared>(), IsEmpty());
  EXPECT_THAT(b.cluster.Take<StagesStopped>(), SizeIs(1));
}

TEST_F(WorkerTest, StopsWhileALinkIsAwaited) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  const Plan plan = PlanFor({&a, &b});
  b.cluster.Give(PrepareStages{plan});
  RunUntilIdle();
  b.cluster.Give(StartStages{kJob, Generation(1)});
  RunUntilIdle();

  b.cluster.Give(StopStages{kJob, Generation(1), "cancelled"});
  RunUntilIdle();

  EXPECT_EQ(b.stages.alive(), 0);
  EXPECT_THAT(b.cluster.Take<StagesStopped>(), SizeIs(1));
  EXPECT_THAT(b.cluster.Take<StageFailed>(), IsEmpty());
}

TEST_F(WorkerTest, IgnoresOrdersOfAnOlderGeneration) {
  TestWorker& a = Add("a");
  Run(PlanFor({&a}, /*generation=*/2), {&a});
  RunUntilIdle();
  a.cluster.TakeAll();

  a.cluster.Give(PrepareStages{PlanFor({&a}, /*generation=*/1)});
  a.cluster.Give(StartStages{kJob, Generation(1)});
  a.cluster.Give(StopStages{kJob, Generation(1), "old"});
  RunUntilIdle();

  EXPECT_THAT(a.cluster.TakeAll(), IsEmpty());
  EXPECT_EQ(a.stages.alive(), 1);
}

TEST_F(WorkerTest, IgnoresAnOrderThatComesTwice) {
  TestWorker& a = Add("a");
  const Plan plan = PlanFor({&a});
  Run(plan, {&a});
  RunUntilIdle();
  a.cluster.TakeAll();

  a.cluster.Give(PrepareStages{plan});
  a.cluster.Give(StartStages{kJob, Generation(1)});
  RunUntilIdle();

  EXPECT_THAT(a.cluster.TakeAll(), IsEmpty());
}

TEST_F(WorkerTest, ANewerPlanReplacesTheRun) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  Run(PlanFor({&a, &b}, /*generation=*/1), {&a});
  RunUntilIdle();

  Run(PlanFor({&a, &b}, /*generation=*/2), {&a, &b});
  RunUntilIdle();

  EXPECT_THAT(Finished(a), SizeIs(1));
  EXPECT_THAT(a.cluster.Running(),
              ElementsAre(Field(&RunningStage::generation, Generation(2))));
  EXPECT_EQ(a.stages.alive(), 1);
}

TEST_F(WorkerTest, RefusesAnotherJobWhileOneRuns) {
  TestWorker& a = Add("a");
  Run(PlanFor({&a}), {&a});
  RunUntilIdle();

  a.cluster.Give(PrepareStages{PlanFor({&a}, /*generation=*/1, "job-2")});
  RunUntilIdle();

  EXPECT_EQ(OnlyCause(a), "internal: worker a still runs job-1");
}

TEST_F(WorkerTest, TakesTheNextJobWhileTheLastOneIsStillStopping) {
  TestWorker& a = Add("a");
  Run(PlanFor({&a}), {&a});
  RunUntilIdle();

  a.cluster.Give(StopStages{kJob, Generation(1), "the job has ended"});
  a.cluster.Give(PrepareStages{PlanFor({&a}, /*generation=*/1, "job-2")});
  RunUntilIdle();

  const auto prepared = a.cluster.Take<StagesPrepared>();
  ASSERT_THAT(prepared, SizeIs(1));
  EXPECT_EQ(prepared[0].job, JobId("job-2"));
}

TEST_F(WorkerTest, RefusesAPlanForAnEarlierLifeOfItself) {
  TestWorker& a = Add("a");
  Plan plan = PlanFor({&a});
  plan.places[0].incarnation = Incarnation(7);

  a.cluster.Give(PrepareStages{plan});

  EXPECT_EQ(OnlyCause(a),
            "worker_lost: worker a was started again since the plan");
}

TEST_F(WorkerTest, RefusesMoreStagesThanSlots) {
  TestWorker& a = Add("a", {.slots = 1});

  a.cluster.Give(PrepareStages{PlanFor({&a, &a})});

  EXPECT_EQ(OnlyCause(a),
            "invalid: worker a has 1 slots for 2 stages; start it with --slots "
            "2");
}

TEST_F(WorkerTest, RefusesStagesBeyondItsMemory) {
  TestWorker& a = Add("a", {.memory_bytes = 1000});

  a.cluster.Give(PrepareStages{PlanFor({&a})});

  EXPECT_THAT(OnlyCause(a),
              HasSubstr("memory: worker a has 1000 bytes for stages"));
}

TEST_F(WorkerTest, ReportsAStageThatCannotBeCreated) {
  TestWorker& a = Add("a");
  a.stages.FailCreation(StageIndex(0),
                        absl::ResourceExhaustedError("out of memory"));

  a.cluster.Give(PrepareStages{PlanFor({&a})});
  RunUntilIdle();

  EXPECT_THAT(OnlyCause(a), HasSubstr("memory: "));
  EXPECT_THAT(a.cluster.Take<StagesPrepared>(), IsEmpty());
}

TEST_F(WorkerTest, ReportsWhatEndedAStageWithItsLastMoves) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  b.stages.FailAt(StageIndex(1), ItemId(5), absl::DataLossError("loss is NaN"));

  Run(PlanFor({&a, &b}), {&a, &b});
  RunUntilIdle();

  const auto failures = b.cluster.Take<StageFailed>();
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_EQ(failures[0].cause.kind, "non_finite");
  EXPECT_EQ(failures[0].cause.stage, 1);
  const auto moves = b.cluster.Take<FlightRecord>();
  ASSERT_THAT(moves, SizeIs(1));
  EXPECT_THAT(moves[0].moves.back(), HasSubstr("item 5"));
  // The neighbour waits for orders: its own complaint would hide the cause.
  EXPECT_THAT(a.cluster.Take<StageFailed>(), IsEmpty());
}

TEST_F(WorkerTest, ReportsALostNeighbourAsALostLink) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  b.stages.FailAt(StageIndex(1), ItemId(5), absl::DataLossError("stuck"));
  Run(PlanFor({&a, &b}), {&a, &b});
  RunUntilIdle();

  hub_.Sever(b.address());
  RunUntilIdle();

  EXPECT_THAT(OnlyCause(a), HasSubstr("link_lost: "));
}

TEST_F(WorkerTest, ReportsANeighbourThatNeverConnects) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  const Plan plan = PlanFor({&a, &b});
  a.cluster.Give(PrepareStages{plan});
  RunUntilIdle();
  a.cluster.Give(StartStages{kJob, Generation(1)});

  Advance(absl::Minutes(1));

  EXPECT_THAT(OnlyCause(a), HasSubstr("link_lost: "));
}

TEST_F(WorkerTest, EndsTheProcessWhenAStageDoesNotStop) {
  workers_.push_back(std::make_unique<TestWorker>(
      "a", world_, Worker::Options(), /*gives_nothing_up=*/true));
  TestWorker& a = *workers_.back();
  Run(PlanFor({&a}), {&a});
  RunUntilIdle();

  a.cluster.Give(StopStages{kJob, Generation(1), "cancelled"});
  Advance(absl::Seconds(29));
  EXPECT_THAT(a.given_up, IsEmpty());
  Advance(absl::Seconds(2));

  EXPECT_THAT(a.given_up,
              ElementsAre("stages of job-1 did not stop within 30s"));
  EXPECT_THAT(a.cluster.Take<StagesStopped>(), IsEmpty());
}

TEST_F(WorkerTest, GivesTheLastMovesOnRequestEvenAfterTheEnd) {
  TestWorker& a = Add("a");
  Run(PlanFor({&a}), {&a});
  RunUntilIdle();
  a.cluster.Give(StopStages{kJob, Generation(1), "the job has ended"});
  RunUntilIdle();
  a.cluster.TakeAll();

  a.cluster.Give(RequestFlightRecord{kJob});

  const auto records = a.cluster.Take<FlightRecord>();
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_THAT(records[0].moves, Contains(HasSubstr("item 15")));
}

TEST_F(WorkerTest, DrainsAtOnceWhenItHoldsNothing) {
  TestWorker& a = Add("a");
  bool drained = false;

  a.worker().Drain(absl::Seconds(10), [&] { drained = true; });

  EXPECT_TRUE(drained);
}

TEST_F(WorkerTest, DrainsByStoppingWhatStillRunsAfterItsPatience) {
  TestWorker& a = Add("a");
  TestWorker& b = Add("b");
  Run(PlanFor({&a, &b}), {&a});
  RunUntilIdle();
  bool drained = false;

  a.worker().Drain(absl::Seconds(10), [&] { drained = true; });
  Advance(absl::Seconds(9));
  EXPECT_FALSE(drained);
  Advance(absl::Seconds(2));

  EXPECT_TRUE(drained);
  EXPECT_EQ(a.stages.alive(), 0);
}

TEST_F(WorkerTest, TakesNoWorkOnceItDrains) {
  TestWorker& a = Add("a");
  a.worker().Drain(absl::Seconds(10), [] {});

  a.cluster.Give(PrepareStages{PlanFor({&a})});

  EXPECT_EQ(OnlyCause(a), "worker_lost: worker a is shutting down");
}

}  // namespace
}  // namespace stagecoach

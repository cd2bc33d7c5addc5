#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/simulated_world.h"

// A whole cluster under a scheduler that delays everything at random and kills
// what the test says, once for each seed. The digest tells in which order
// stages read and wrote: it never depends on the seed, nor on what was lost.
namespace stagecoach {
namespace {

constexpr int64_t kStages = 3;
constexpr int64_t kEpochs = 12;  // 96 steps

std::string DigestOfQuietRun() {
  static const std::string& digest = *new std::string([] {
    SimulatedWorld world(/*seed=*/1, /*workers=*/3);
    return world.RunToEnd(world.Submit(kStages, kEpochs)).weights_digest;
  }());
  return digest;
}

class SimulationTest : public testing::TestWithParam<uint64_t> {
 protected:
  // A step somewhere in the first half of the job.
  int64_t SomeStep() {
    return 1 + static_cast<int64_t>(world_.random().Next() % 40);
  }

  void ExpectSuccess(const JobStatus& job) {
    EXPECT_EQ(job.state, JobState::kSucceeded)
        << (job.cause.has_value() ? job.cause->text : job.reason);
    EXPECT_EQ(job.step, job.steps);
    EXPECT_EQ(job.weights_digest, DigestOfQuietRun());
    EXPECT_EQ(job.stages.size(), size_t{kStages});
    for (const StageStatus& stage : job.stages) {
      EXPECT_EQ(stage.staleness.violations, 0);
    }
  }

  SimulatedWorld world_{GetParam(), /*workers=*/3};
  const JobId job_ = world_.Submit(kStages, kEpochs);
};

TEST_P(SimulationTest, TheResultDoesNotDependOnWhoWasSlow) {
  const JobStatus job = world_.RunToEnd(job_);

  ExpectSuccess(job);
  EXPECT_EQ(job.recoveries, 0);
  EXPECT_NE(job.weights_digest, "");
}

TEST_P(SimulationTest, AWorkerThatDiesAndComesBackChangesNothing) {
  world_.RunToStep(job_, SomeStep());
  const int victim = static_cast<int>(world_.random().Next() % 3);

  world_.KillWorker(victim);
  world_.Pass(
      absl::Milliseconds(static_cast<int64_t>(world_.random().Next() % 5000)));
  world_.StartWorker(victim);

  const JobStatus job = world_.RunToEnd(job_);
  ExpectSuccess(job);
  EXPECT_EQ(job.recoveries, 1);
}

TEST_P(SimulationTest, AWorkerThatDiesForGoodIsReplacedBySlotsOfTheOthers) {
  world_.RunToStep(job_, SomeStep());

  world_.KillWorker(static_cast<int>(world_.random().Next() % 3));

  ExpectSuccess(world_.RunToEnd(job_));
}

TEST_P(SimulationTest, TrainingGoesOnThroughABrokenSession) {
  world_.RunToStep(job_, SomeStep());

  world_.BreakSession(static_cast<int>(world_.random().Next() % 3));

  const JobStatus job = world_.RunToEnd(job_);
  ExpectSuccess(job);
  EXPECT_EQ(job.recoveries, 0);
}

TEST_P(SimulationTest, ACoordinatorThatDiesFindsTheJobAgain) {
  world_.RunToStep(job_, SomeStep());

  world_.KillCoordinator();
  world_.Pass(
      absl::Milliseconds(static_cast<int64_t>(world_.random().Next() % 5000)));
  world_.StartCoordinator();

  ExpectSuccess(world_.RunToEnd(job_));
}

TEST_P(SimulationTest, SurvivesEverythingAtOnce) {
  for (int i = 0; i < 6; ++i) {
    world_.Pass(absl::Milliseconds(
        static_cast<int64_t>(world_.random().Next() % 3000)));
    const int victim = static_cast<int>(world_.random().Next() % 3);
    switch (world_.random().Next() % 3) {
      case 0:
        world_.KillWorker(victim);
        world_.StartWorker(victim);
        break;
      case 1:
        world_.BreakSession(victim);
        break;
      default:
        world_.KillCoordinator();
        world_.StartCoordinator();
    }
  }

  ExpectSuccess(world_.RunToEnd(job_));
}

TEST_P(SimulationTest, AStageThatFailsForAReasonOfItsOwnFailsTheJob) {
  world_.worker(0).stages().FailAt(StageIndex(0), ItemId(50),
                                   absl::DataLossError("gradient is NaN"));
  world_.worker(1).stages().FailAt(StageIndex(0), ItemId(50),
                                   absl::DataLossError("gradient is NaN"));
  world_.worker(2).stages().FailAt(StageIndex(0), ItemId(50),
                                   absl::DataLossError("gradient is NaN"));

  const JobStatus job = world_.RunToEnd(job_);

  EXPECT_EQ(job.state, JobState::kFailed);
  ASSERT_TRUE(job.cause.has_value());
  EXPECT_EQ(job.cause->kind, "non_finite");
  EXPECT_EQ(job.cause->stage, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulationTest,
                         testing::Range<uint64_t>(1, 21));

}  // namespace
}  // namespace stagecoach

#include "coordinator/job_queue.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

WaitingJob JobOf(int number, int stages) {
  return {JobId("job-" + std::to_string(number)), stages};
}

PresentWorker Worker(const std::string& name, int slots, bool free = true,
                     const std::string& build = "") {
  return {{WorkerName(name), slots, build}, free};
}

TEST(JobQueueTest, StartsTheFirstJobThatFits) {
  const QueueDecision decision =
      DecideQueue({JobOf(1, 2)}, {Worker("a", 1), Worker("b", 1)});

  ASSERT_THAT(decision.starts, SizeIs(1));
  EXPECT_EQ(decision.starts[0].job, JobId("job-1"));
  EXPECT_THAT(decision.starts[0].places,
              ElementsAre(WorkerName("a"), WorkerName("b")));
  EXPECT_THAT(decision.waits, IsEmpty());
}

TEST(JobQueueTest, StartsSeveralJobsOnDifferentWorkers) {
  const QueueDecision decision =
      DecideQueue({JobOf(1, 1), JobOf(2, 2)},
                  {Worker("a", 1), Worker("b", 1), Worker("c", 1)});

  ASSERT_THAT(decision.starts, SizeIs(2));
  EXPECT_THAT(decision.starts[1].places,
              ElementsAre(WorkerName("b"), WorkerName("c")));
}

TEST(JobQueueTest, SaysWhatIsMissing) {
  const QueueDecision decision =
      DecideQueue({JobOf(1, 3)}, {Worker("a", 1), Worker("b", 1)});

  ASSERT_THAT(decision.waits, SizeIs(1));
  EXPECT_EQ(decision.waits[0].reason,
            "needs 3 slots, 2 workers with 2 free slots are here");
}

TEST(JobQueueTest, SaysThatThereIsNoWorker) {
  EXPECT_EQ(DecideQueue({JobOf(1, 1)}, {}).waits[0].reason,
            "needs 1 slot, no worker is here");
}

TEST(JobQueueTest, SaysThatBuildsDiffer) {
  const QueueDecision decision =
      DecideQueue({JobOf(1, 2)},
                  {Worker("a", 1, true, "old"), Worker("b", 1, true, "new")});

  EXPECT_EQ(decision.waits[0].reason,
            "needs 2 slots, 2 workers with 2 free slots are here; they are of "
            "different builds, and a job runs on workers of one");
}

TEST(JobQueueTest, HoldsSmallJobsBackBehindOneThatWaitsForBusyWorkers) {
  const QueueDecision decision = DecideQueue(
      {JobOf(1, 2), JobOf(2, 1)}, {Worker("a", 1), Worker("b", 1, false)});

  EXPECT_THAT(decision.starts, IsEmpty());
  ASSERT_THAT(decision.waits, SizeIs(2));
  EXPECT_EQ(decision.waits[0].reason,
            "needs 2 slots, 2 workers with 1 free slot are here");
  EXPECT_EQ(decision.waits[1].reason, "is behind job-1");
}

TEST(JobQueueTest, PassesAJobThatNoWorkerHereCouldEverRun) {
  const QueueDecision decision =
      DecideQueue({JobOf(1, 9), JobOf(2, 1)}, {Worker("a", 1)});

  ASSERT_THAT(decision.starts, SizeIs(1));
  EXPECT_EQ(decision.starts[0].job, JobId("job-2"));
}

}  // namespace
}  // namespace stagecoach

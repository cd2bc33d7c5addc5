#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/grpc/proto_job_codec.h"
#include "coordinator/sqlite_job_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

// A coordinator that is killed and started again on the files that it left:
// every restart finds only what was on the disk.
namespace stagecoach {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class DurableCoordinatorTest : public CoordinatorTest {
 protected:
  void SetUp() override {
    Open();
    CoordinatorTest::SetUp();
  }

  JobStore& store() override { return *sqlite_; }

  // The next life works on a copy of the files, made while the store is still
  // open: nothing is written out at the end, as when a process is killed.
  void Reopen() override {
    const std::filesystem::path before = folder_.path() / std::to_string(life_);
    const std::filesystem::path after =
        folder_.path() / std::to_string(++life_);
    std::filesystem::copy(before, after);
    Open();
  }

  void Open() {
    const std::filesystem::path home = folder_.path() / std::to_string(life_);
    std::filesystem::create_directory(home);
    SC_ASSERT_OK_AND_ASSIGN(
        sqlite_, SqliteJobStore::Open((home / "jobs.sqlite").string(), codec_));
  }

  void Hold(FakeWorker& worker, const JobId& job, int stage) {
    worker.hello().running = {
        {.job = job, .generation = Generation(1), .stage = StageIndex(stage)}};
  }

  TempFolder folder_;
  int life_ = 0;
  ProtoJobCodec codec_;
  std::unique_ptr<SqliteJobStore> sqlite_;
};

TEST_F(DurableCoordinatorTest, FindsWhatWasSubmittedWithItsKeyAndDefaults) {
  const JobId job = Submit(SmallJob(), "key");
  SC_ASSERT_OK_AND_ASSIGN(const auto before, coordinator_->Describe(job));

  Restart();

  SC_ASSERT_OK_AND_ASSIGN(const auto after, coordinator_->Describe(job));
  EXPECT_EQ(after.spec, before.spec);
  EXPECT_EQ(after.status.state, JobState::kQueued);
  EXPECT_EQ(after.status.submitted, before.status.submitted);
  EXPECT_EQ(after.status.spec_digest, before.status.spec_digest);
  EXPECT_EQ(Submit(SmallJob(), "key"), job);
  EXPECT_EQ(Submit(SmallJob()), JobId("job-2"));
}

TEST_F(DurableCoordinatorTest, RunsAQueuedJobThatAnEarlierLifeTook) {
  const JobId job = Submit();

  Restart();
  Join(left_);
  Join(right_);
  InspectData(left_);
  Prepare({&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
}

TEST_F(DurableCoordinatorTest, AdoptsARunningJobAndSeesItThrough) {
  const JobId job = RunningJob();
  left_.Send(Finished(job, 1, 0, "a"));
  Run();
  Hold(right_, job, 1);

  Restart();
  Restart();
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  Join(left_);
  Join(right_);
  right_.Send(Finished(job, 1, 1, "b"));
  Run();

  EXPECT_EQ(StatusOf(job).state, JobState::kSucceeded);
  EXPECT_EQ(StatusOf(job).recoveries, 0);
  EXPECT_THAT(StatusOf(job).weights_digest, SizeIs(64));
}

TEST_F(DurableCoordinatorTest, StartsAJobAgainWhoseWorkerIsGone) {
  const JobId job = RunningJob();
  Hold(left_, job, 0);
  const std::vector<PrepareStages> before = left_.Orders<PrepareStages>();

  Restart();
  Join(left_);
  Pass(absl::Seconds(11), {&left_});
  ASSERT_EQ(StatusOf(job).state, JobState::kRecovering);
  Stopped({&left_});
  FakeWorker again(HelloOf("right", 1, /*incarnation=*/2));
  Restart();
  left_.hello().running.clear();
  Join(left_);
  Join(again);
  Prepare({&left_, &again});

  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  EXPECT_EQ(StatusOf(job).recoveries, 1);
  const Plan plan = left_.Orders<PrepareStages>().back().plan;
  EXPECT_EQ(plan.spec, before.back().plan.spec);
  EXPECT_EQ(plan.generation, Generation(2));
}

TEST_F(DurableCoordinatorTest, BeginsAJobAgainThatHadNotBegunToTrain) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  InspectData(left_);
  ASSERT_EQ(StatusOf(job).state, JobState::kStarting);

  Restart();

  EXPECT_EQ(StatusOf(job).state, JobState::kQueued);
  EXPECT_THAT(Events(job, "state"),
              HasSubstr("queued again: the coordinator was restarted"));
}

TEST_F(DurableCoordinatorTest, KeepsTheResultAndTheEventsOfAJobThatHasEnded) {
  const JobId job = RunningJob();
  left_.Send(Finished(job, 1, 0, "a"));
  right_.Send(Finished(job, 1, 1, "b"));
  Run();
  const JobStatus status = StatusOf(job);
  const std::vector<JobEvent> events = EventsOf(job);

  Restart();

  EXPECT_EQ(StatusOf(job), status);
  EXPECT_EQ(EventsOf(job), events);
}

TEST_F(DurableCoordinatorTest, AWatcherOfTheNextLifeSeesEveryEventOnce) {
  const JobId job = RunningJob();
  Hold(left_, job, 0);
  Hold(right_, job, 1);
  Restart();
  Join(left_);
  Join(right_);
  left_.Send(LogLine{job, "in the second life"});
  Run();

  SC_ASSERT_OK_AND_ASSIGN(
      const auto subscription,
      coordinator_->feed().Subscribe(job, /*after=*/2, [] {}));
  std::vector<int64_t> sequences;
  std::string texts;
  for (int quiet = 0; quiet < 2;) {
    SC_ASSERT_OK_AND_ASSIGN(const auto news, subscription->Take());
    if (const auto* event = std::get_if<JobEvent>(&news)) {
      sequences.push_back(event->sequence);
      texts += event->text + "\n";
    } else if (std::holds_alternative<std::monostate>(news)) {
      ++quiet;
      Run();
    }
  }

  const auto last = static_cast<int64_t>(EventsOf(job).size());
  ASSERT_THAT(sequences, SizeIs(static_cast<size_t>(last - 2)));
  EXPECT_EQ(sequences.front(), 3);
  EXPECT_EQ(sequences.back(), last);
  EXPECT_THAT(texts, HasSubstr("in the second life"));
}

TEST_F(DurableCoordinatorTest, ForgetsOnTheDiskWhatItForgets) {
  options_.max_ended_jobs = 1;
  Restart();
  const JobId first = Submit();
  EXPECT_THAT(Cancel(first), IsOk());
  const JobId second = Submit();
  EXPECT_THAT(Cancel(second), IsOk());
  const JobId third = Submit();

  Restart();

  EXPECT_THAT(coordinator_->Describe(first),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(StatusOf(second).state, JobState::kCancelled);
  EXPECT_EQ(StatusOf(third).state, JobState::kQueued);
  EXPECT_THAT(EventsOf(first), SizeIs(0));
}

}  // namespace
}  // namespace stagecoach

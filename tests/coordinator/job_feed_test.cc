#include "coordinator/job_feed.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/fake_job_store.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

const JobId kJob("job-1");

class JobFeedTest : public testing::Test {
 protected:
  // Stores and publishes the next event, with a status at that step.
  void Happen(bool ended = false) {
    const JobEvent event = {.sequence = ++sequence_,
                            .kind = "log",
                            .text = std::to_string(sequence_)};
    ASSERT_THAT(store_.Commit({{.job = kJob, .events = {event}}}), IsOk());
    feed_.Publish({event}, Snapshot(sequence_), ended);
  }

  static StatusSnapshot Snapshot(int64_t step) {
    StatusSnapshot snapshot = {.revision = step};
    snapshot.status.id = kJob;
    snapshot.status.step = step;
    return snapshot;
  }

  std::unique_ptr<Subscription> Watch(int64_t after = 0) {
    auto watch = feed_.Subscribe(kJob, after, [this] { ++wakes_; });
    EXPECT_THAT(watch, IsOk());
    return *std::move(watch);
  }

  // Takes all there is: "1 2 step 2 end".
  std::string TakeAll(Subscription& watch) {
    std::string taken;
    while (true) {
      const auto news = watch.Take();
      if (!news.ok()) {
        return taken + (absl::IsOutOfRange(news.status()) ? "end" : "failed");
      }
      if (const auto* event = std::get_if<JobEvent>(&*news)) {
        taken += std::to_string(event->sequence) + " ";
      } else if (const auto* status = std::get_if<JobStatus>(&*news)) {
        taken += "step " + std::to_string(status->step) + " ";
      } else if (executor_.RunUntilIdle() == 0) {
        return taken;
      }
    }
  }

  FakeClock clock_;
  FakeExecutor executor_{clock_};
  FakeJobStore store_;
  Journal journal_{store_, executor_, [](const absl::Status&) {}};
  JobFeed feed_{journal_};
  int64_t sequence_ = 0;
  int wakes_ = 0;
};

TEST_F(JobFeedTest, GivesEventsInOrderThenTheStatus) {
  Happen();
  Happen();

  const auto watch = Watch();

  EXPECT_EQ(TakeAll(*watch), "1 2 step 2 ");
}

TEST_F(JobFeedTest, WakesAWatcherForNews) {
  Happen();
  const auto watch = Watch();
  TakeAll(*watch);

  Happen();

  EXPECT_EQ(wakes_, 1);
  EXPECT_EQ(TakeAll(*watch), "2 step 2 ");
}

TEST_F(JobFeedTest, BeginsAfterTheEventThatAWatcherHas) {
  for (int event = 0; event < 5; ++event) Happen();

  EXPECT_EQ(TakeAll(*Watch(/*after=*/3)), "4 5 step 5 ");
}

TEST_F(JobFeedTest, ReplacesStatusesThatWereNotTaken) {
  Happen();
  const auto watch = Watch();
  TakeAll(*watch);

  for (int64_t step = 2; step <= 50; ++step) {
    feed_.Publish({}, Snapshot(step), /*ended=*/false);
  }

  EXPECT_EQ(TakeAll(*watch), "step 50 ");
}

TEST_F(JobFeedTest, PassesOverASnapshotThatCameLate) {
  Happen();
  feed_.Publish({}, Snapshot(9), false);
  feed_.Publish({}, Snapshot(8), false);

  EXPECT_EQ(TakeAll(*Watch()), "1 step 9 ");
}

TEST_F(JobFeedTest, DropsNoEventOfASlowWatcher) {
  Happen();
  const auto watch = Watch();
  const int64_t events = 3 * static_cast<int64_t>(JobFeed::kMaxEvents);
  std::string expected = "1 ";
  for (int64_t event = 2; event <= events; ++event) {
    Happen();
    expected += std::to_string(event) + " ";
  }

  EXPECT_EQ(TakeAll(*watch), expected + "step " + std::to_string(events) + " ");
  EXPECT_GE(store_.loads(), 2);
}

TEST_F(JobFeedTest, EndsWhenAllOfAnEndedJobWasTaken) {
  Happen();
  const auto watch = Watch();
  Happen(/*ended=*/true);

  EXPECT_EQ(TakeAll(*watch), "1 2 step 2 end");
}

TEST_F(JobFeedTest, ReplaysAJobOfAnEarlierCoordinatorFromTheStore) {
  for (int event = 0; event < 3; ++event) Happen();
  JobFeed after_restart(journal_);
  after_restart.Restore(/*last_event=*/3, Snapshot(3), /*ended=*/true);

  SC_ASSERT_OK_AND_ASSIGN(const auto watch,
                          after_restart.Subscribe(kJob, 1, [] {}));

  EXPECT_EQ(TakeAll(*watch), "2 3 step 3 end");
}

TEST_F(JobFeedTest, FailsRatherThanSkipEventsThatAreNotStored) {
  Happen();
  feed_.Restore(/*last_event=*/3, Snapshot(3), false);

  EXPECT_EQ(TakeAll(*Watch(/*after=*/1)), "failed");
}

TEST_F(JobFeedTest, KnowsNoOtherJobs) {
  EXPECT_THAT(feed_.Subscribe(JobId("job-9"), 0, [] {}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("job-9")));
}

TEST_F(JobFeedTest, TellsWatchersOfAForgottenJob) {
  Happen();
  const auto watch = Watch();

  feed_.Forget(kJob);
  feed_.Publish({}, Snapshot(7), false);

  EXPECT_THAT(watch->Take(), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(JobFeedTest, TellsEveryWatcherThatItCloses) {
  Happen();
  const auto watch = Watch();

  feed_.Close(absl::UnavailableError("stopping"));

  EXPECT_EQ(wakes_, 1);
  EXPECT_THAT(watch->Take(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(JobFeedTest, LetsAWatcherLeaveWhileItsEventsAreLoaded) {
  feed_.Restore(/*last_event=*/3, Snapshot(3), false);
  auto watch = Watch();
  EXPECT_THAT(watch->Take(), IsOk());

  watch.reset();

  EXPECT_GE(executor_.RunUntilIdle(), 1);
}

}  // namespace
}  // namespace stagecoach

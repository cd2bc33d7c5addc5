// What clients see of the coordinator.

#include "core/base/field_error.h"
#include "core/resolve/resolved_job.h"
#include "gmock/gmock.h"
#include "tests/coordinator/coordinator_fixture.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

using CoordinatorClientsTest = CoordinatorTest;

TEST_F(CoordinatorClientsTest, StoresAJobBeforeItAnswers) {
  bool answered = false;
  coordinator_->Submit(SmallJob(), "", [&](const auto&) { answered = true; });
  EXPECT_FALSE(answered);

  Run();

  EXPECT_TRUE(answered);
  EXPECT_EQ(store_.LoadJobs()->size(), 1u);
}

TEST_F(CoordinatorClientsTest, FillsInDefaultsAndWaitsForWorkers) {
  const JobId job = Submit();

  SC_ASSERT_OK_AND_ASSIGN(const auto description, coordinator_->Describe(job));
  EXPECT_EQ(description.status.state, JobState::kQueued);
  EXPECT_EQ(description.status.reason, "needs 2 slots, no worker is here");
  EXPECT_EQ(description.spec, *ResolveSpec(SmallJob()));
  EXPECT_EQ(description.status.spec_digest, SpecDigest(description.spec));
}

TEST_F(CoordinatorClientsTest, RefusesASpecWithTheFieldThatIsWrong) {
  JobSpec spec = SmallJob();
  spec.optimizer.parameters = {{"momentum", 2}};

  const auto answer = TrySubmit(spec);

  EXPECT_THAT(answer, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(FieldOf(answer.status()), "optimizer.sgd.momentum");
  EXPECT_THAT(coordinator_->List(), IsEmpty());
}

TEST_F(CoordinatorClientsTest, MakesOneJobPerKey) {
  const JobId first = Submit(SmallJob(), "key");

  EXPECT_EQ(Submit(SmallJob(), "key"), first);
  EXPECT_NE(Submit(SmallJob(), "other"), first);
  EXPECT_NE(Submit(SmallJob()), Submit(SmallJob()));
}

TEST_F(CoordinatorClientsTest, RemembersKeysAcrossARestart) {
  const JobId first = Submit(SmallJob(), "key");

  Restart();

  EXPECT_EQ(Submit(SmallJob(), "key"), first);
}

TEST_F(CoordinatorClientsTest, RefusesAKeyOfAnotherJob) {
  const JobId first = Submit(SmallJob(), "key");
  JobSpec other = SmallJob();
  other.seed = 2;

  EXPECT_THAT(
      TrySubmit(other, "key"),
      StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr(first.value())));
}

TEST_F(CoordinatorClientsTest, BoundsTheJobsThatAreOpen) {
  options_.max_open_jobs = 2;
  Restart();
  Submit();
  const JobId second = Submit();

  EXPECT_THAT(TrySubmit(SmallJob()),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("2 jobs wait or run")));
  EXPECT_THAT(Cancel(second), IsOk());
  EXPECT_THAT(TrySubmit(SmallJob()), IsOk());
}

TEST_F(CoordinatorClientsTest, ForgetsTheOldestJobsThatHaveEnded) {
  options_.max_ended_jobs = 1;
  Restart();
  const JobId first = Submit(SmallJob(), "key");
  const JobId second = Submit();
  EXPECT_THAT(Cancel(first), IsOk());
  EXPECT_THAT(Cancel(second), IsOk());

  const JobId third = Submit();

  EXPECT_THAT(coordinator_->List(), ElementsAre(Field(&JobStatus::id, third),
                                                Field(&JobStatus::id, second)));
  EXPECT_THAT(coordinator_->Describe(first),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(store_.LoadJobs()->size(), 2u);
  EXPECT_NE(Submit(SmallJob(), "key"), first);
}

TEST_F(CoordinatorClientsTest, ListsTheNewestFirst) {
  const JobId first = Submit();
  const JobId second = Submit();

  EXPECT_THAT(coordinator_->List(), ElementsAre(Field(&JobStatus::id, second),
                                                Field(&JobStatus::id, first)));
}

TEST_F(CoordinatorClientsTest, KnowsNoOtherJob) {
  EXPECT_THAT(coordinator_->Describe(JobId("job-9")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("job-9")));
  EXPECT_THAT(Cancel(JobId("job-9")), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(CoordinatorClientsTest, CancelsAQueuedJob) {
  const JobId job = Submit();

  EXPECT_THAT(Cancel(job),
              IsOkAndHolds(Field(&JobStatus::state, JobState::kCancelled)));
  EXPECT_EQ(StatusOf(job).cause->kind, "cancelled");
  Join(left_);
  Join(right_);
  EXPECT_EQ(StatusOf(job).state, JobState::kCancelled);
}

TEST_F(CoordinatorClientsTest, CancelsAJobWhoseDataIsInspected) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();

  EXPECT_THAT(Cancel(job), IsOk());

  EXPECT_EQ(left_.Orders<StopStages>().size(), 1u);
  InspectData(left_);
  EXPECT_EQ(StatusOf(job).state, JobState::kCancelled);
  EXPECT_THAT(left_.Orders<PrepareStages>(), IsEmpty());
}

TEST_F(CoordinatorClientsTest, CancelsAJobWhoseStagesArePrepared) {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  InspectData(left_);

  EXPECT_THAT(Cancel(job), IsOk());

  Prepare({&left_, &right_});
  EXPECT_EQ(StatusOf(job).state, JobState::kCancelled);
  EXPECT_THAT(left_.Orders<StartStages>(), IsEmpty());
}

TEST_F(CoordinatorClientsTest, CancelsARunningJobAndFreesItsWorkers) {
  const JobId job = RunningJob();

  EXPECT_THAT(Cancel(job), IsOk());
  EXPECT_EQ(coordinator_->Workers()[0].jobs, "job-1 stage 0, stopping");
  Stopped({&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kCancelled);
  EXPECT_EQ(coordinator_->Workers()[0].state, "idle");
}

TEST_F(CoordinatorClientsTest, CancelsAJobThatRecovers) {
  const JobId job = RunningJob();
  left_.Send(StageFailed{job, Generation(1), {.kind = "link_lost"}});
  Run();
  ASSERT_EQ(StatusOf(job).state, JobState::kRecovering);

  EXPECT_THAT(Cancel(job), IsOk());
  Stopped({&left_, &right_});

  EXPECT_EQ(StatusOf(job).state, JobState::kCancelled);
}

TEST_F(CoordinatorClientsTest, CancelsTwiceButNothingThatHasEndedOtherwise) {
  const JobId cancelled = Submit();
  EXPECT_THAT(Cancel(cancelled), IsOk());
  EXPECT_THAT(Cancel(cancelled), IsOk());

  const JobId job = RunningJob();
  left_.Send(StageFailed{job, Generation(1), {.kind = "non_finite"}});
  Run();
  EXPECT_THAT(Cancel(job), StatusIs(absl::StatusCode::kFailedPrecondition,
                                    HasSubstr("it is failed")));
}

TEST_F(CoordinatorClientsTest, ShowsWorkersAsTheyAre) {
  RunningJob();
  FakeWorker spare(HelloOf("spare", /*slots=*/3));
  Join(spare);
  left_.Disconnect();

  const std::vector<WorkerStatus> workers = coordinator_->Workers();

  ASSERT_EQ(workers.size(), 3u);
  EXPECT_EQ(workers[0].state, "lost");
  EXPECT_EQ(workers[1].state, "busy");
  EXPECT_EQ(workers[1].jobs, "job-1 stage 1");
  EXPECT_EQ(workers[1].free_slots, 0);
  EXPECT_EQ(workers[2].state, "idle");
  EXPECT_EQ(workers[2].free_slots, 3);
  EXPECT_EQ(workers[2].address, "spare:7071");
}

// The disk may take longer than anything else that happens meanwhile.
TEST_F(CoordinatorClientsTest, ShowsAWatcherWhyTheJobWaits) {
  std::unique_ptr<Coordinator> coordinator;
  Metrics metrics;
  FakeExecutor journal(clock_);
  FakeExecutor other(clock_);
  SC_ASSERT_OK_AND_ASSIGN(coordinator,
                          Coordinator::Start({}, {.clock = clock_,
                                                  .executor = other,
                                                  .store = store_,
                                                  .journal_executor = journal,
                                                  .metrics = metrics,
                                                  .on_failure = nullptr}));
  coordinator->Submit(SmallJob(), "", [](const auto&) {});
  other.RunUntilIdle();
  journal.RunUntilIdle();

  const auto watch =
      coordinator->feed().Subscribe(JobId("job-1"), /*after=*/1, [] {});
  ASSERT_THAT(watch, IsOk());
  const absl::StatusOr<Subscription::News> news = (*watch)->Take();

  ASSERT_THAT(news, IsOk());
  EXPECT_EQ(std::get<JobStatus>(*news).reason,
            "needs 2 slots, no worker is here");
}

TEST_F(CoordinatorClientsTest, ShowsAWatcherTheWholeLifeOfAJob) {
  const JobId job = RunningJob();
  left_.Send(Finished(job, 1, 0, "a"));
  right_.Send(Finished(job, 1, 1, "b"));
  Run();

  SC_ASSERT_OK_AND_ASSIGN(const auto watch,
                          coordinator_->feed().Subscribe(job, 0, [] {}));
  std::vector<std::string> events;
  std::optional<JobStatus> status;
  auto news = watch->Take();
  for (; news.ok(); news = watch->Take()) {
    if (const auto* event = std::get_if<JobEvent>(&*news)) {
      events.push_back(event->text);
    } else if (const auto* newest = std::get_if<JobStatus>(&*news)) {
      status = *newest;
    }
  }

  EXPECT_THAT(news, StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(events, ElementsAre("queued", "starting on left, right",
                                  HasSubstr("stage 0: units 0 to 0"),
                                  "running as generation 1 on left, right",
                                  "succeeded after 20 steps"));
  EXPECT_EQ(status->state, JobState::kSucceeded);
}

TEST_F(CoordinatorClientsTest, TellsAWatcherWhyAJobWaits) {
  const JobId job = Submit();
  SC_ASSERT_OK_AND_ASSIGN(const auto watch,
                          coordinator_->feed().Subscribe(job, 0, [] {}));
  Run();
  std::string reason;
  for (auto news = watch->Take();
       news.ok() && !std::holds_alternative<std::monostate>(*news);
       news = watch->Take()) {
    const auto* status = std::get_if<JobStatus>(&*news);
    if (status != nullptr) reason = status->reason;
  }

  EXPECT_EQ(reason, "needs 2 slots, no worker is here");
}

TEST_F(CoordinatorClientsTest, CollectsTheFlightRecordOfAllStages) {
  Join(left_);
  left_.hello().slots = 2;
  Join(left_);
  const JobId job = Submit();
  InspectData(left_);
  absl::StatusOr<std::vector<FlightRecord>> answer;
  coordinator_->RequestFlightRecord(
      WorkerName("left"), [&](auto records) { answer = std::move(records); });
  Run();
  ASSERT_EQ(left_.Orders<RequestFlightRecord>().size(), 1u);

  left_.Send(FlightRecord{job, Generation(1), StageIndex(0), {"F0"}});
  left_.Send(FlightRecord{job, Generation(1), StageIndex(1), {"B0"}});
  Run();

  ASSERT_THAT(answer, IsOk());
  ASSERT_EQ(answer->size(), 2u);
  EXPECT_THAT((*answer)[1].moves, ElementsAre("B0"));
}

TEST_F(CoordinatorClientsTest, DoesNotWaitForEverForAFlightRecord) {
  RunningJob();
  absl::Status answer;
  const auto ask = [&](const char* worker) {
    coordinator_->RequestFlightRecord(
        WorkerName(worker), [&](const auto& got) { answer = got.status(); });
  };

  ask("left");
  Pass(absl::Seconds(6), {&left_, &right_});
  EXPECT_THAT(answer, StatusIs(absl::StatusCode::kDeadlineExceeded));
  ask("nobody");
  EXPECT_THAT(answer, StatusIs(absl::StatusCode::kNotFound));
  left_.Disconnect();
  ask("left");
  EXPECT_THAT(answer, StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(CoordinatorClientsTest, TellsAnOperatorWhenItCannotStore) {
  store_.FailWith(absl::ResourceExhaustedError("the disk is full"));

  EXPECT_THAT(TrySubmit(SmallJob()),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(failure_, StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(CoordinatorClientsTest, TakesNothingNewOnceItDrains) {
  const JobId job = RunningJob();

  EXPECT_EQ(coordinator_->NotReady(), "");
  EXPECT_TRUE(coordinator_->Drain(absl::ZeroDuration()));
  Run();

  EXPECT_EQ(coordinator_->NotReady(), "the coordinator is stopping");
  EXPECT_THAT(TrySubmit(SmallJob()), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(left_.control().closed(),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(left_.Join(*coordinator_),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  EXPECT_THAT(left_.Orders<StopStages>(), IsEmpty());
}

TEST_F(CoordinatorClientsTest, CountsJobsAndWorkersInItsMetrics) {
  const JobId job = RunningJob();
  Pass(absl::Seconds(1), {&left_, &right_});

  const std::string text = metrics_.Scrape();
  EXPECT_THAT(text, HasSubstr("coordinator_jobs{state=\"running\"} 1"));
  EXPECT_THAT(text, HasSubstr("coordinator_workers{state=\"busy\"} 2"));
  EXPECT_THAT(text, HasSubstr("job_step{job=\"job-1\"} 0"));

  EXPECT_THAT(Cancel(job), IsOk());
  metrics_.Scrape();
  EXPECT_THAT(metrics_.Scrape(), testing::Not(HasSubstr("job-1")));
}

}  // namespace
}  // namespace stagecoach

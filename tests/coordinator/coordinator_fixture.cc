#include "tests/coordinator/coordinator_fixture.h"

#include "tests/support/status_matchers.h"

namespace stagecoach {

absl::Status FakeWorker::Join(Coordinator& coordinator) {
  coordinator_ = &coordinator;
  control_ = std::make_shared<FakeWorkerControl>();
  const absl::StatusOr<SessionId> session = coordinator.Join(hello_, control_);
  if (session.ok()) session_ = *session;
  return session.status();
}

void CoordinatorTest::Start() {
  executor_ = std::make_unique<FakeExecutor>(clock_);
  SC_ASSERT_OK_AND_ASSIGN(
      coordinator_,
      Coordinator::Start(options_, {.clock = clock_,
                                    .executor = *executor_,
                                    .store = store(),
                                    .journal_executor = *executor_,
                                    .metrics = metrics_,
                                    .on_failure = [this](const auto& failure) {
                                      failure_ = failure;
                                    }}));
  Run();
}

void CoordinatorTest::Stop() {
  executor_.reset();
  coordinator_.reset();
}

void CoordinatorTest::Restart() {
  Stop();
  Reopen();
  Start();
}

void CoordinatorTest::Pass(absl::Duration time,
                           const std::vector<FakeWorker*>& alive) {
  for (; time > absl::ZeroDuration(); time -= absl::Seconds(1)) {
    executor_->Advance(std::min(time, absl::Seconds(1)));
    for (FakeWorker* worker : alive) worker->Renew();
  }
}

absl::StatusOr<JobStatus> CoordinatorTest::TrySubmit(const JobSpec& spec,
                                                     const std::string& key) {
  absl::StatusOr<JobStatus> answer = absl::UnknownError("no answer");
  coordinator_->Submit(spec, key, [&](absl::StatusOr<JobStatus> status) {
    answer = std::move(status);
  });
  Run();
  return answer;
}

JobId CoordinatorTest::Submit(const JobSpec& spec, const std::string& key) {
  const auto status = TrySubmit(spec, key);
  EXPECT_THAT(status, IsOk());
  return status.ok() ? status->id : JobId();
}

absl::StatusOr<JobStatus> CoordinatorTest::Cancel(const JobId& job) {
  absl::StatusOr<JobStatus> answer = absl::UnknownError("no answer");
  coordinator_->Cancel(job, [&](absl::StatusOr<JobStatus> status) {
    answer = std::move(status);
  });
  Run();
  return answer;
}

JobStatus CoordinatorTest::StatusOf(const JobId& job) {
  const auto description = coordinator_->Describe(job);
  EXPECT_THAT(description, IsOk());
  return description.ok() ? description->status : JobStatus();
}

std::vector<JobEvent> CoordinatorTest::EventsOf(const JobId& job) {
  return *store().LoadEvents(job, 0, 100'000);
}

std::string CoordinatorTest::Events(const JobId& job, const std::string& kind) {
  std::string texts;
  for (const JobEvent& event : EventsOf(job)) {
    if (event.kind == kind) texts += event.text + "\n";
  }
  return texts;
}

void CoordinatorTest::Join(FakeWorker& worker) {
  EXPECT_THAT(worker.Join(*coordinator_), IsOk());
  Run();
}

void CoordinatorTest::InspectData(FakeWorker& worker) {
  const auto orders = worker.Orders<stagecoach::InspectData>();
  ASSERT_FALSE(orders.empty());
  worker.Send(
      DataInspected{orders.back().job, orders.back().generation, SmallFacts()});
  Run();
}

void CoordinatorTest::Prepare(const std::vector<FakeWorker*>& workers) {
  for (FakeWorker* worker : workers) {
    const auto orders = worker->Orders<PrepareStages>();
    ASSERT_FALSE(orders.empty());
    const Plan& plan = orders.back().plan;
    worker->Send(StagesPrepared{plan.job, plan.generation});
  }
  Run();
}

JobId CoordinatorTest::RunningJob() {
  Join(left_);
  Join(right_);
  const JobId job = Submit();
  InspectData(left_);
  Prepare({&left_, &right_});
  EXPECT_EQ(StatusOf(job).state, JobState::kRunning);
  return job;
}

void CoordinatorTest::Stopped(const std::vector<FakeWorker*>& workers) {
  for (FakeWorker* worker : workers) {
    const auto orders = worker->Orders<StopStages>();
    ASSERT_FALSE(orders.empty());
    worker->Send(StagesStopped{orders.back().job, orders.back().generation});
  }
  Run();
}

StageFinished CoordinatorTest::Finished(const JobId& job, int generation,
                                        int stage, const std::string& line) {
  return {.job = job,
          .generation = Generation(generation),
          .status = {.stage = StageIndex(stage), .version = 20, .applied = 20},
          .digest_lines = {line}};
}

}  // namespace stagecoach

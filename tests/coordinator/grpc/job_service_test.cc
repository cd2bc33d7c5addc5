#include "coordinator/grpc/job_service.h"

#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/grpc/channel.h"
#include "core/grpc/convert_status.h"
#include "core/grpc/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/grpc/service_fixture.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr absl::Duration kPatience = absl::Seconds(60);

// One watch, read when the test pleases.
class Watcher {
 public:
  Watcher(v1::JobService::Stub& stub, const std::string& job,
          int64_t after_sequence = 0) {
    SetDeadline(context_, kPatience);
    v1::WatchRequest request;
    request.set_job(job);
    request.set_after_sequence(after_sequence);
    reader_ = stub.Watch(&context_, request);
  }
  ~Watcher() {
    Leave();
    if (!ended_) reader_->Finish();
  }

  // False at the end.
  bool Read(v1::WatchResponse& response) { return reader_->Read(&response); }

  // Reads everything to the end, and says how it ended.
  absl::Status ReadAll() {
    v1::WatchResponse response;
    while (Read(response)) {
      if (response.has_event()) {
        events_.push_back(response.event());
      } else {
        statuses_.push_back(response.status());
      }
    }
    ended_ = true;
    return FromGrpc(reader_->Finish(), "the coordinator");
  }

  void Leave() { context_.TryCancel(); }

  const std::vector<v1::JobEvent>& events() const { return events_; }
  const std::vector<v1::JobStatus>& statuses() const { return statuses_; }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::WatchResponse>> reader_;
  bool ended_ = false;
  std::vector<v1::JobEvent> events_;
  std::vector<v1::JobStatus> statuses_;
};

class JobServiceTest : public ServiceTest {
 protected:
  absl::StatusOr<v1::FlightRecordResponse> FlightRecord(
      const std::string& worker) {
    grpc::ClientContext context;
    SetDeadline(context, kPatience);
    v1::FlightRecordRequest request;
    request.set_worker(worker);
    v1::FlightRecordResponse response;
    const auto status = stub_->FlightRecord(&context, request, &response);
    if (!status.ok()) return FromGrpc(status, "the coordinator");
    return response;
  }
};

TEST_F(JobServiceTest, AnswersASubmissionWithTheJobAsStored) {
  SC_ASSERT_OK_AND_ASSIGN(const v1::JobStatus status, Submit());

  EXPECT_EQ(status.id(), "job-1");
  EXPECT_EQ(status.state(), v1::JOB_STATE_QUEUED);
  SC_ASSERT_OK_AND_ASSIGN(const auto stored, store_.LoadJobs());
  EXPECT_THAT(stored, SizeIs(1));
}

TEST_F(JobServiceTest, MakesOneJobOfAKeyHoweverOftenItIsSent) {
  SC_ASSERT_OK_AND_ASSIGN(const auto first, Submit(SmallJob(), "key"));
  SC_ASSERT_OK_AND_ASSIGN(const auto again, Submit(SmallJob(), "key"));
  JobSpec another = SmallJob();
  another.epochs = 3;

  EXPECT_EQ(again.id(), first.id());
  EXPECT_THAT(Submit(another, "key"),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       AllOf(HasSubstr("\"key\""), HasSubstr(first.id()))));
}

TEST_F(JobServiceTest, MakesOneJobOfAKeyThatManySendAtOnce) {
  std::vector<std::string> ids(8);
  {
    std::vector<std::jthread> clients;
    for (std::string& id : ids) {
      clients.emplace_back([&] {
        const auto status = Submit(SmallJob(), "key");
        if (status.ok()) id = status->id();
      });
    }
  }

  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()),
            std::set<std::string>{"job-1"});
}

TEST_F(JobServiceTest, RefusesABadFieldOnOneLineWithItsPath) {
  JobSpec spec = SmallJob();
  spec.data.batch_size = -1;

  const absl::Status refused = Submit(spec).status();

  EXPECT_THAT(refused, StatusIs(absl::StatusCode::kInvalidArgument,
                                AllOf(HasSubstr("-1"), Not(HasSubstr("\n")))));
  EXPECT_EQ(FieldOf(refused), "data.batch_size");
}

TEST_F(JobServiceTest, RefusesASpecThatIsEmpty) {
  EXPECT_THAT(Submit(JobSpec()), StatusIs(absl::StatusCode::kInvalidArgument,
                                          Not(HasSubstr("\n"))));
}

TEST_F(JobServiceTest, KnowsNoJobThatWasNotSubmitted) {
  const auto no_such_job =
      StatusIs(absl::StatusCode::kNotFound,
               "there is no job \"job-9\"; `stagecoach list` shows all");
  Watcher watcher(*stub_, "job-9");

  EXPECT_THAT(Describe("job-9"), no_such_job);
  EXPECT_THAT(Cancel("job-9"), no_such_job);
  EXPECT_THAT(watcher.ReadAll(), no_such_job);
}

TEST_F(JobServiceTest, CancelsAJobOnceItIsAsked) {
  SC_ASSERT_OK_AND_ASSIGN(const auto submitted, Submit());

  SC_ASSERT_OK_AND_ASSIGN(const auto cancelled, Cancel(submitted.id()));

  EXPECT_EQ(cancelled.state(), v1::JOB_STATE_CANCELLED);
  EXPECT_EQ(cancelled.cause().kind(), "cancelled");
  EXPECT_THAT(Cancel(submitted.id()), IsOk());
}

TEST_F(JobServiceTest, ListsTheNewestFirst) {
  ASSERT_THAT(Submit(), IsOk());
  ASSERT_THAT(Submit(), IsOk());

  grpc::ClientContext context;
  SetDeadline(context, kPatience);
  v1::ListResponse response;
  ASSERT_TRUE(stub_->List(&context, {}, &response).ok());

  ASSERT_EQ(response.jobs_size(), 2);
  EXPECT_EQ(response.jobs(0).id(), "job-2");
  EXPECT_EQ(response.jobs(1).id(), "job-1");
}

TEST_F(JobServiceTest, ShowsTheWorkersThatAreHere) {
  EXPECT_EQ(Workers().workers_size(), 0);

  RunningJob();

  const v1::WorkersResponse response = Workers();
  ASSERT_EQ(response.workers_size(), 2);
  EXPECT_EQ(response.workers(0).name(), "left");
  EXPECT_EQ(response.workers(0).state(), "busy");
  EXPECT_EQ(response.workers(0).jobs(), "job-1 stage 0");
}

TEST_F(JobServiceTest, HandsOutTheFlightRecordThatAWorkerSends) {
  const std::string job = RunningJob();
  absl::StatusOr<v1::FlightRecordResponse> record;
  {
    const std::jthread client([&] { record = FlightRecord("left"); });
    left_->AwaitOrder<stagecoach::RequestFlightRecord>();
    left_->Send(stagecoach::FlightRecord{
        JobId(job), Generation(1), StageIndex(0), {"F0", "B0"}});
  }

  ASSERT_THAT(record, IsOk());
  ASSERT_EQ(record->stages_size(), 1);
  EXPECT_EQ(record->stages(0).job(), job);
  EXPECT_THAT(record->stages(0).moves(), ElementsAre("F0", "B0"));
  EXPECT_THAT(FlightRecord("nobody"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(JobServiceTest, AWatchTellsTheWholeLifeOfAJobAndEnds) {
  const std::string job = RunningJob();
  Watcher watcher(*stub_, job);
  FinishStages(job);

  EXPECT_THAT(watcher.ReadAll(), IsOk());

  std::vector<std::string> states;
  for (const v1::JobEvent& event : watcher.events()) {
    if (event.kind() == "state") {
      states.push_back(event.text().substr(0, event.text().find(' ')));
    }
  }
  EXPECT_THAT(states,
              ElementsAre("queued", "starting", "running", "succeeded"));
  ASSERT_THAT(watcher.statuses(), Not(IsEmpty()));
  EXPECT_EQ(watcher.statuses().back().state(), v1::JOB_STATE_SUCCEEDED);
  EXPECT_THAT(watcher.statuses().back().weights_digest(), SizeIs(64));
}

// The watcher reads nothing while events and progress come that no connection
// can hold, and everything afterwards.
TEST_F(JobServiceTest, ASlowWatcherMissesProgressButNoEvent) {
  constexpr int kLines = 3000;
  const std::string job = RunningJob();
  Watcher watcher(*stub_, job);
  const std::string padding(2000, '.');
  StageProgressed progress;
  progress.job = JobId(job);
  progress.generation = Generation(1);
  progress.status.stage = StageIndex(1);
  for (int line = 0; line < kLines; ++line) {
    left_->Send(LogLine{JobId(job), absl::StrCat(line, padding)});
    progress.status.version = line;
    right_->Send(progress);
  }
  left_->AwaitAcknowledgement();
  right_->AwaitAcknowledgement();
  ASSERT_THAT(Cancel(job), IsOk());

  ASSERT_THAT(watcher.ReadAll(), IsOk());

  int lines = 0;
  int64_t sequence = 0;
  for (const v1::JobEvent& event : watcher.events()) {
    ASSERT_EQ(event.sequence(), ++sequence);
    if (event.kind() != "log") continue;
    ASSERT_EQ(event.text(), absl::StrCat(lines++, padding));
  }
  EXPECT_EQ(lines, kLines);
  EXPECT_LT(watcher.statuses().size(), static_cast<size_t>(kLines));
  EXPECT_EQ(watcher.statuses().back().state(), v1::JOB_STATE_CANCELLED);
  EXPECT_EQ(watcher.statuses().back().step(), kLines - 1);
}

TEST_F(JobServiceTest, AWatchGoesOnAfterTheLastEventThatTheClientHas) {
  SC_ASSERT_OK_AND_ASSIGN(const auto submitted, Submit());
  ASSERT_THAT(Cancel(submitted.id()), IsOk());
  Watcher all(*stub_, submitted.id());
  ASSERT_THAT(all.ReadAll(), IsOk());
  ASSERT_THAT(all.events(), SizeIs(2));

  Watcher rest(*stub_, submitted.id(), /*after_sequence=*/1);
  Watcher none(*stub_, submitted.id(), /*after_sequence=*/2);

  EXPECT_THAT(rest.ReadAll(), IsOk());
  EXPECT_THAT(rest.events(), SizeIs(1));
  EXPECT_THAT(none.ReadAll(), IsOk());
  EXPECT_THAT(none.events(), IsEmpty());
}

TEST_F(JobServiceTest, AClientThatLeavesAWatchHoldsNothingUp) {
  const std::string job = RunningJob();
  Watcher gone(*stub_, job);
  Watcher stays(*stub_, job);
  v1::WatchResponse response;
  ASSERT_TRUE(gone.Read(response));

  gone.Leave();
  EXPECT_THAT(gone.ReadAll(), StatusIs(absl::StatusCode::kCancelled));
  left_->Send(LogLine{JobId(job), "after it left"});
  ASSERT_THAT(Cancel(job), IsOk());

  ASSERT_THAT(stays.ReadAll(), IsOk());
  EXPECT_EQ(stays.statuses().back().state(), v1::JOB_STATE_CANCELLED);
  EXPECT_LT(Stop(), absl::Seconds(20));
}

TEST_F(JobServiceTest, AWatcherIsToldWhenTheCoordinatorStops) {
  const std::string job = RunningJob();
  Watcher watcher(*stub_, job);
  v1::WatchResponse response;
  ASSERT_TRUE(watcher.Read(response));
  absl::Status end;

  {
    const std::jthread client([&] { end = watcher.ReadAll(); });
    EXPECT_LT(Stop(), absl::Seconds(20));
  }

  EXPECT_THAT(end, StatusIs(absl::StatusCode::kUnavailable,
                            HasSubstr("the coordinator is stopping")));
}

TEST_F(JobServiceTest, TakesNoCallOnceItDrains) {
  SC_ASSERT_OK_AND_ASSIGN(const auto submitted, Submit());
  ASSERT_TRUE(coordinator_->Drain(kPatience));

  const auto stopping = StatusIs(absl::StatusCode::kUnavailable,
                                 HasSubstr("the coordinator is stopping"));
  EXPECT_THAT(Submit(), stopping);
  EXPECT_THAT(Cancel(submitted.id()), stopping);
  EXPECT_THAT(FlightRecord("left"), stopping);
  EXPECT_THAT(Describe(submitted.id()), IsOk());
}

}  // namespace
}  // namespace stagecoach

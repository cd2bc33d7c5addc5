#include "coordinator/grpc/session_service.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "coordinator/grpc/session_stream.h"
#include "core/grpc/channel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/grpc/service_fixture.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SessionServiceTest : public ServiceTest {
 protected:
  // What a session ends with that begins with this message.
  absl::Status EndOf(const v1::WorkerMessage& first) {
    const auto session = Connect();
    session->Write(first);
    return session->AwaitEnd();
  }

  absl::Status EndOf(const Hello& hello) {
    const auto session = Connect();
    session->Say(hello);
    return session->AwaitEnd();
  }
};

TEST_F(SessionServiceTest, WelcomesAWorkerWithItsLease) {
  const auto session = Connect();
  session->Say(HelloOf("left"));

  const auto message = session->Read();

  ASSERT_TRUE(message.has_value());
  ASSERT_TRUE(message->has_welcome());
  EXPECT_EQ(message->welcome().lease().seconds(), 10);
  EXPECT_EQ(message->welcome().last_report(), 0);
}

TEST_F(SessionServiceTest, CarriesAJobFromTheDataToItsEnd) {
  const std::string job = RunningJob();
  AwaitState(job, v1::JOB_STATE_RUNNING);

  FinishStages(job);

  const v1::JobStatus ended = AwaitState(job, v1::JOB_STATE_SUCCEEDED);
  EXPECT_EQ(ended.step(), 20);
  EXPECT_EQ(left_->AwaitOrder<StopStages>().reason, "the job has succeeded");
}

TEST_F(SessionServiceTest, TellsAWorkerThatIsBackWhatItHas) {
  RunningJob();
  left_->AwaitAcknowledgement();
  Hello hello = HelloOf("left");
  hello.last_order = 1;

  const auto session = Connect();
  session->Say(hello);

  const auto welcome = session->Read();
  ASSERT_TRUE(welcome.has_value());
  EXPECT_EQ(welcome->welcome().last_report(), 2);
  // Orders above the first are sent again.
  EXPECT_EQ(session->AwaitOrder<PrepareStages>().plan.job.value(), "job-1");
  session->AwaitOrder<StartStages>();
}

TEST_F(SessionServiceTest, WantsAHelloFirstAndOnce) {
  v1::WorkerMessage renewal;
  renewal.mutable_renewal();
  v1::WorkerMessage report;
  report.mutable_report()->set_serial(1);

  EXPECT_THAT(EndOf(renewal), StatusIs(absl::StatusCode::kInvalidArgument,
                                       "a worker says hello first"));
  EXPECT_THAT(EndOf(report), StatusIs(absl::StatusCode::kInvalidArgument,
                                      "a worker says hello first"));
  const auto session = Join(HelloOf("left"));
  session->Say(HelloOf("left"));
  EXPECT_THAT(session->AwaitEnd(), StatusIs(absl::StatusCode::kInvalidArgument,
                                            "a worker says hello once"));
}

TEST_F(SessionServiceTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(EndOf(v1::WorkerMessage()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("of another version")));
  const auto session = Join(HelloOf("left"));
  v1::WorkerMessage report;
  report.mutable_report()->set_serial(1);
  session->Write(report);
  EXPECT_THAT(session->AwaitEnd(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(SessionServiceTest, RefusesAnotherProtocolAndSaysWhatToDo) {
  Hello hello = HelloOf("left");
  hello.protocol = 2;

  EXPECT_THAT(EndOf(hello), StatusIs(absl::StatusCode::kInvalidArgument,
                                     "the worker speaks protocol 2, the "
                                     "coordinator 1; run the same version of "
                                     "both"));
}

TEST_F(SessionServiceTest, RefusesANameThatIsNone) {
  EXPECT_THAT(EndOf(HelloOf("a b")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("worker name 'a b'")));
}

TEST_F(SessionServiceTest, EndsTheSessionOfAnOlderProcessOfThatName) {
  const std::string job = RunningJob();

  const auto newer = Join(HelloOf("left", /*slots=*/1, /*incarnation=*/2));

  EXPECT_THAT(left_->AwaitEnd(),
              StatusIs(absl::StatusCode::kAborted,
                       "a newer process has the worker name left"));
  EXPECT_EQ(AwaitState(job, v1::JOB_STATE_RECOVERING).recoveries(), 1);
}

TEST_F(SessionServiceTest, EndsAnOlderSessionOfTheSameProcess) {
  const std::string job = RunningJob();

  const auto newer = Join(HelloOf("left"));

  EXPECT_THAT(left_->AwaitEnd(),
              StatusIs(absl::StatusCode::kAborted,
                       "a newer session has the worker name left"));
  SC_ASSERT_OK_AND_ASSIGN(const v1::JobStatus status, Describe(job));
  EXPECT_EQ(status.state(), v1::JOB_STATE_RUNNING);
}

TEST_F(SessionServiceTest, RunsNoJobOnWorkersOfDifferentBuilds) {
  Hello right = HelloOf("right");
  right.build = "another build";
  left_ = Join(HelloOf("left"));
  right_ = Join(right);

  SC_ASSERT_OK_AND_ASSIGN(const v1::JobStatus submitted, Submit());

  const v1::JobStatus waiting = Await(
      submitted.id(),
      [](const v1::JobStatus& status) { return !status.reason().empty(); });
  EXPECT_EQ(waiting.state(), v1::JOB_STATE_QUEUED);
  EXPECT_EQ(waiting.reason(),
            "needs 2 slots, 2 workers with 2 free slots are here; they are of "
            "different builds, and a job runs on workers of one");
}

TEST_F(SessionServiceTest, SuspectsAWorkerAtOnceWhoseProcessDies) {
  const std::string job = RunningJob();

  right_->Die();
  EXPECT_THAT(right_->AwaitEnd(), StatusIs(absl::StatusCode::kCancelled));
  const SystemClock wall;
  const absl::Duration deadline = wall.Now() + absl::Seconds(60);
  while (Workers().workers(1).state() != "lost") {
    ASSERT_LT(wall.Now(), deadline);
  }
  // The grace passes; no lease has.
  clock_.Advance(absl::Seconds(2));

  const v1::JobStatus recovering = AwaitState(job, v1::JOB_STATE_RECOVERING);
  EXPECT_THAT(recovering.cause().text(), HasSubstr("worker right is lost"));
}

TEST_F(SessionServiceTest, LetsAFrozenWorkerGoAfterItsLease) {
  const std::string job = RunningJob();

  clock_.Advance(absl::Seconds(10));

  EXPECT_THAT(left_->AwaitEnd(),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("took this worker for lost"),
                             HasSubstr("silent for 10s"))));
  AwaitState(job, v1::JOB_STATE_RECOVERING);
}

// Keeps the streams at hand.
class StreamKeeper final : public v1::SessionService::CallbackService {
 public:
  explicit StreamKeeper(Coordinator& coordinator) : coordinator_(coordinator) {}

  grpc::ServerBidiReactor<v1::WorkerMessage, v1::CoordinatorMessage>* Session(
      grpc::CallbackServerContext* context) override {
    SessionStream* stream = SessionStream::Start(coordinator_, *context);
    stream_ = stream->shared_from_this();
    return stream;
  }

  std::shared_ptr<SessionStream> stream() const { return stream_; }

 private:
  Coordinator& coordinator_;
  std::shared_ptr<SessionStream> stream_;
};

TEST_F(SessionServiceTest, CutsTheConnectionOfAWorkerThatReadsNothing) {
  StreamKeeper keeper(*coordinator_);
  SC_ASSERT_OK_AND_ASSIGN(const auto server, Server::Start({}, {&keeper}));
  SessionClient worker(MakeChannel(JoinHostPort("127.0.0.1", server->port())));
  worker.Say(HelloOf("left"));
  ASSERT_TRUE(worker.Read().has_value());

  // More than any connection holds, and the queue on top.
  const StopStages order = {JobId("job-1"), Generation(1),
                            std::string(4000, '.')};
  for (size_t sent = 0; sent < 3 * SessionStream::kMaxQueued; ++sent) {
    keeper.stream()->Send(static_cast<int64_t>(sent), order);
  }

  EXPECT_THAT(worker.AwaitEnd(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(Workers().workers(0).state(), "lost");
}

TEST_F(SessionServiceTest, TellsWorkersThatTheCoordinatorStops) {
  RunningJob();
  absl::Status end;

  {
    const auto worker = std::move(left_);
    EXPECT_LT(Stop(), absl::Seconds(20));
    end = worker->AwaitEnd();
  }

  EXPECT_THAT(end, StatusIs(absl::StatusCode::kUnavailable,
                            "the coordinator is stopping; what runs goes on "
                            "without it"));
}

TEST_F(SessionServiceTest, TakesNoWorkerOnceItDrains) {
  ASSERT_TRUE(coordinator_->Drain(absl::Seconds(60)));

  EXPECT_THAT(EndOf(HelloOf("left")), StatusIs(absl::StatusCode::kUnavailable,
                                               "the coordinator is stopping"));
}

}  // namespace
}  // namespace stagecoach

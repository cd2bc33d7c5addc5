#include "tests/coordinator/grpc/service_fixture.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/grpc/channel.h"
#include "core/grpc/convert_job.h"
#include "core/grpc/status.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(60);
constexpr char kPeer[] = "the coordinator";

}  // namespace

SessionClient::SessionClient(const std::shared_ptr<grpc::Channel>& channel)
    : stub_(v1::SessionService::NewStub(channel)) {
  SetDeadline(context_, kPatience);
  stream_ = stub_->Session(&context_);
}

SessionClient::~SessionClient() {
  Die();
  if (!ended_) stream_->Finish();
}

void SessionClient::Say(const Hello& hello) {
  v1::WorkerMessage message;
  *message.mutable_hello() = ToProto(hello);
  Write(message);
}

void SessionClient::Renew(int64_t last_order) {
  v1::WorkerMessage message;
  message.mutable_renewal()->set_last_order(last_order);
  Write(message);
}

void SessionClient::Send(const Report& report) {
  v1::WorkerMessage message;
  *message.mutable_report() = ToProto(report, ++last_serial_);
  Write(message);
}

std::optional<v1::CoordinatorMessage> SessionClient::Read() {
  v1::CoordinatorMessage message;
  if (!stream_->Read(&message)) return std::nullopt;
  if (message.has_acknowledgement()) {
    acknowledged_ = message.acknowledgement().last_report();
  }
  return message;
}

void SessionClient::AwaitAcknowledgement() {
  while (acknowledged_ < last_serial_) {
    if (Read().has_value()) continue;
    ADD_FAILURE() << "reports were not acknowledged";
    return;
  }
}

absl::Status SessionClient::AwaitEnd() {
  while (Read().has_value()) {
  }
  ended_ = true;
  return FromGrpc(stream_->Finish(), kPeer);
}

void ServiceTest::SetUp() {
  executor_ = std::make_unique<ThreadExecutor>("coordinator");
  journal_ = std::make_unique<ThreadExecutor>("journal");
  SC_ASSERT_OK_AND_ASSIGN(
      coordinator_,
      Coordinator::Start({.tick = absl::Milliseconds(2)},
                         {.clock = clock_,
                          .executor = *executor_,
                          .store = store_,
                          .journal_executor = *journal_,
                          .metrics = metrics_,
                          .on_failure = [](const absl::Status& failure) {
                            ADD_FAILURE() << failure;
                          }}));
  jobs_ = std::make_unique<JobService>(*coordinator_);
  sessions_ = std::make_unique<SessionService>(*coordinator_);
  SC_ASSERT_OK_AND_ASSIGN(server_,
                          Server::Start({}, {jobs_.get(), sessions_.get()}));
  channel_ = MakeChannel(JoinHostPort("127.0.0.1", server_->port()));
  ASSERT_THAT(WaitUntilConnected(*channel_, kPatience, kPeer), IsOk());
  stub_ = v1::JobService::NewStub(channel_);
}

absl::Duration ServiceTest::Stop() {
  if (server_ == nullptr) return absl::ZeroDuration();
  const SystemClock clock;
  const absl::Duration before = clock.Now();
  EXPECT_TRUE(coordinator_->Drain(kPatience));
  server_->Shutdown(kPatience);
  const absl::Duration took = clock.Now() - before;
  left_.reset();
  right_.reset();
  server_.reset();
  executor_.reset();
  journal_.reset();
  return took;
}

absl::StatusOr<v1::JobStatus> ServiceTest::Submit(const JobSpec& spec,
                                                  const std::string& key) {
  grpc::ClientContext context;
  SetDeadline(context, kPatience);
  v1::SubmitRequest request;
  *request.mutable_spec() = ToProto(spec);
  request.set_key(key);
  v1::SubmitResponse response;
  const grpc::Status status = stub_->Submit(&context, request, &response);
  if (!status.ok()) return FromGrpc(status, kPeer);
  return response.status();
}

absl::StatusOr<v1::JobStatus> ServiceTest::Cancel(const std::string& job) {
  grpc::ClientContext context;
  SetDeadline(context, kPatience);
  v1::CancelRequest request;
  request.set_job(job);
  v1::CancelResponse response;
  const grpc::Status status = stub_->Cancel(&context, request, &response);
  if (!status.ok()) return FromGrpc(status, kPeer);
  return response.status();
}

absl::StatusOr<v1::JobStatus> ServiceTest::Describe(const std::string& job) {
  grpc::ClientContext context;
  SetDeadline(context, kPatience);
  v1::DescribeRequest request;
  request.set_job(job);
  v1::DescribeResponse response;
  const grpc::Status status = stub_->Describe(&context, request, &response);
  if (!status.ok()) return FromGrpc(status, kPeer);
  return response.status();
}

v1::WorkersResponse ServiceTest::Workers() {
  grpc::ClientContext context;
  SetDeadline(context, kPatience);
  v1::WorkersResponse response;
  EXPECT_TRUE(stub_->Workers(&context, {}, &response).ok());
  return response;
}

v1::JobStatus ServiceTest::Await(
    const std::string& job,
    const std::function<bool(const v1::JobStatus&)>& wanted) {
  grpc::ClientContext context;
  SetDeadline(context, kPatience);
  v1::WatchRequest request;
  request.set_job(job);
  const auto watch = stub_->Watch(&context, request);
  v1::WatchResponse response;
  bool found = false;
  while (!found && watch->Read(&response)) {
    found = response.has_status() && wanted(response.status());
  }
  context.TryCancel();
  watch->Finish();
  EXPECT_TRUE(found) << job << " did not become what is awaited";
  return response.status();
}

v1::JobStatus ServiceTest::AwaitState(const std::string& job,
                                      v1::JobState state) {
  return Await(job, [state](const v1::JobStatus& status) {
    return status.state() == state;
  });
}

std::unique_ptr<SessionClient> ServiceTest::Join(const Hello& hello) {
  auto session = Connect();
  session->Say(hello);
  const auto welcome = session->Read();
  EXPECT_TRUE(welcome.has_value() && welcome->has_welcome());
  return session;
}

void ServiceTest::FinishStages(const std::string& job) {
  int stage = 0;
  for (SessionClient* worker : {left_.get(), right_.get()}) {
    StageFinished finished;
    finished.job = JobId(job);
    finished.generation = Generation(1);
    finished.status.stage = StageIndex(stage);
    finished.status.version = 20;
    finished.status.applied = 20;
    finished.digest_lines = {absl::StrCat("line ", stage++)};
    worker->Send(finished);
  }
}

std::string ServiceTest::RunningJob() {
  left_ = Join(HelloOf("left"));
  right_ = Join(HelloOf("right"));
  const auto submitted = Submit();
  EXPECT_THAT(submitted, IsOk());
  const auto inspect = left_->AwaitOrder<InspectData>();
  left_->Send(DataInspected{inspect.job, inspect.generation, SmallFacts()});
  for (SessionClient* worker : {left_.get(), right_.get()}) {
    const Plan plan = worker->AwaitOrder<PrepareStages>().plan;
    worker->Send(StagesPrepared{plan.job, plan.generation});
  }
  left_->AwaitOrder<StartStages>();
  right_->AwaitOrder<StartStages>();
  return inspect.job.value();
}

}  // namespace stagecoach

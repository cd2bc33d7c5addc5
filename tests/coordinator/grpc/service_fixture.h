#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "coordinator/coordinator.h"
#include "coordinator/grpc/job_service.h"
#include "coordinator/grpc/session_service.h"
#include "core/base/thread_executor.h"
#include "core/grpc/convert_session.h"
#include "core/grpc/server.h"
#include "gtest/gtest.h"
#include "stagecoach/v1/jobs.grpc.pb.h"
#include "stagecoach/v1/session.grpc.pb.h"
#include "tests/coordinator/small_job.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_job_store.h"

namespace stagecoach {

// A worker's end of a session, led by the test. Everything fails once a minute
// has passed, so that no test hangs.
//
// Thread-confined.
class SessionClient {
 public:
  explicit SessionClient(const std::shared_ptr<grpc::Channel>& channel);
  ~SessionClient();

  void Say(const Hello& hello);
  void Renew(int64_t last_order);
  void Send(const Report& report);
  void Write(const v1::WorkerMessage& message) { stream_->Write(message); }

  // The next message of any kind; none when the stream has ended.
  std::optional<v1::CoordinatorMessage> Read();

  // Reads on to the next order of a kind; the test fails when none comes.
  template <typename Kind>
  Kind AwaitOrder() {
    while (const auto message = Read()) {
      if (!message->has_order()) continue;
      const auto order = FromProto(message->order());
      if (!order.ok()) break;
      if (const Kind* kind = std::get_if<Kind>(&*order)) return *kind;
    }
    ADD_FAILURE() << "the order did not come";
    return Kind();
  }

  // Reads on until reports up to the newest one are acknowledged.
  void AwaitAcknowledgement();

  // Why the coordinator ended the session: reads all that is left.
  absl::Status AwaitEnd();

  // As if the process had died.
  void Die() { context_.TryCancel(); }

 private:
  std::unique_ptr<v1::SessionService::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<
      grpc::ClientReaderWriter<v1::WorkerMessage, v1::CoordinatorMessage>>
      stream_;
  int64_t last_serial_ = 0;
  int64_t acknowledged_ = 0;
  bool ended_ = false;
};

// Both services of a coordinator on loopback, as its program wires them. Only
// the test moves the clock of leases and deadlines.
class ServiceTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override { Stop(); }

  // Drains and ends everything, once; how long it took the server.
  absl::Duration Stop();

  // --- Calls as a client.
  absl::StatusOr<v1::JobStatus> Submit(const JobSpec& spec = SmallJob(),
                                       const std::string& key = "");
  absl::StatusOr<v1::JobStatus> Cancel(const std::string& job);
  absl::StatusOr<v1::JobStatus> Describe(const std::string& job);

  // Watches the job until its status is as wanted; the test fails if the watch
  // ends before.
  v1::JobStatus Await(const std::string& job,
                      const std::function<bool(const v1::JobStatus&)>& wanted);
  v1::JobStatus AwaitState(const std::string& job, v1::JobState state);

  v1::WorkersResponse Workers();

  std::unique_ptr<SessionClient> Connect() {
    return std::make_unique<SessionClient>(channel_);
  }
  // A session that was welcomed.
  std::unique_ptr<SessionClient> Join(const Hello& hello);

  // A job that trains: stage 0 on left_, stage 1 on right_.
  std::string RunningJob();
  // Both stages of it have made their 20 updates.
  void FinishStages(const std::string& job);

  FakeClock clock_;
  FakeJobStore store_;
  Metrics metrics_;
  std::unique_ptr<ThreadExecutor> executor_;
  std::unique_ptr<ThreadExecutor> journal_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<JobService> jobs_;
  std::unique_ptr<SessionService> sessions_;
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::JobService::Stub> stub_;

  std::unique_ptr<SessionClient> left_;
  std::unique_ptr<SessionClient> right_;
};

}  // namespace stagecoach

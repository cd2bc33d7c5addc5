#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "coordinator/coordinator.h"
#include "gtest/gtest.h"
#include "tests/coordinator/small_job.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/fake_job_store.h"
#include "tests/fakes/fake_worker_control.h"

namespace stagecoach {

// One worker process as the coordinator sees it, led by the test.
class FakeWorker {
 public:
  explicit FakeWorker(const Hello& hello) : hello_(hello) {}

  // Opens a session, the first or another one.
  absl::Status Join(Coordinator& coordinator);

  // As if the stream broke.
  void Disconnect() { coordinator_->Disconnect(session_); }
  void Renew() { coordinator_->Renew(session_, hello_.last_order); }

  void Send(const Report& report) {
    coordinator_->Receive(session_, ++last_serial_, report);
  }
  // What a worker does that has not seen an acknowledgement.
  void SendAgain(const Report& report) {
    coordinator_->Receive(session_, last_serial_, report);
  }

  // The orders of a kind in the newest session, oldest first.
  template <typename Kind>
  std::vector<Kind> Orders() const {
    std::vector<Kind> orders;
    for (const auto& [serial, order] : control_->orders()) {
      if (const Kind* kind = std::get_if<Kind>(&order)) orders.push_back(*kind);
    }
    return orders;
  }

  Hello& hello() { return hello_; }
  const FakeWorkerControl& control() const { return *control_; }

 private:
  Hello hello_;
  Coordinator* coordinator_ = nullptr;
  SessionId session_;
  int64_t last_serial_ = 0;
  std::shared_ptr<FakeWorkerControl> control_;
};

// A coordinator with every seam in the test's hands.
class CoordinatorTest : public testing::Test {
 protected:
  void SetUp() override { Start(); }
  void TearDown() override { Stop(); }

  // Where jobs are kept; another one for tests of another store.
  virtual JobStore& store() { return store_; }
  // Between the end of a coordinator and the start of the next.
  virtual void Reopen() {}

  void Start();
  void Stop();
  // A new coordinator on what the old one stored. Workers must join it anew.
  void Restart();

  // Until nothing is due.
  void Run() { executor_->RunUntilIdle(); }
  // Moves time on; workers that are named stay alive.
  void Pass(absl::Duration time, const std::vector<FakeWorker*>& alive = {});

  JobId Submit(const JobSpec& spec = SmallJob(), const std::string& key = "");
  absl::StatusOr<JobStatus> TrySubmit(const JobSpec& spec,
                                      const std::string& key = "");
  absl::StatusOr<JobStatus> Cancel(const JobId& job);
  JobStatus StatusOf(const JobId& job);
  std::vector<JobEvent> EventsOf(const JobId& job);
  // Texts of the events of one kind, a line each.
  std::string Events(const JobId& job, const std::string& kind);

  void Join(FakeWorker& worker);
  // The worker of stage 0 describes the data, then both are prepared.
  void InspectData(FakeWorker& worker);
  void Prepare(const std::vector<FakeWorker*>& workers);
  // A job that trains: stage 0 on left_, stage 1 on right_.
  JobId RunningJob();
  // Each answers the newest StopStages.
  void Stopped(const std::vector<FakeWorker*>& workers);
  static StageFinished Finished(const JobId& job, int generation, int stage,
                                const std::string& line);

  FakeClock clock_;
  FakeJobStore store_;
  Metrics metrics_;
  absl::Status failure_;
  CoordinatorOptions options_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<FakeExecutor> executor_;

  FakeWorker left_{HelloOf("left")};
  FakeWorker right_{HelloOf("right")};
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/base/executor.h"
#include "core/base/ids.h"
#include "core/session/order.h"
#include "worker/cluster.h"
#include "worker/data_loader.h"
#include "worker/generation_fence.h"
#include "worker/hosted_run.h"

namespace stagecoach {

// The life of a worker process: takes the coordinator's orders, runs stages of
// one job at a time, and reports. Without a coordinator what runs goes on.
//
// Thread-confined to its executor, the constructor excepted.
class Worker final : public ClusterListener {
 public:
  struct Options {
    WorkerName name;
    Incarnation incarnation;
    int slots = 1;
    int64_t memory_bytes = 0;    // for stages; 0: as much as there is
    std::string device = "cpu";  // besides the CPU, which it always has
    absl::Duration progress_interval = absl::Milliseconds(500);
    absl::Duration stop_timeout = absl::Seconds(30);
  };

  // All outlive the worker, and its executor runs nothing more of it when it
  // is destroyed.
  struct Seams {
    Cluster& cluster;
    DataLoader& data;
    HostedRun::Seams run;  // without `report`
    // Ends the process, so that its supervisor starts a new one: something
    // could not be stopped.
    std::function<void(const std::string& why)> give_up;
  };

  Worker(Options options, Seams seams);

  // Takes no more work, gives what runs `patience` to end by itself, stops it,
  // and calls `drained`.
  void Drain(absl::Duration patience, std::function<void()> drained);

  std::vector<RunningStage> Running() const override;
  void OnOrder(const Order& order) override;

 private:
  void Obey(const InspectData& order);
  void Obey(const PrepareStages& order);
  void Obey(const StartStages& order);
  void Obey(const StopStages& order);
  void Obey(const RequestFlightRecord& order);

  // Why the plan cannot run here; none when it can.
  std::optional<Cause> Refusal(const Plan& plan) const;
  void MakeRoomFor(const Plan& plan);
  void Prepare(const Plan& plan);
  void PrepareWith(Plan plan, std::shared_ptr<const ResolvedJob> job);
  void StopRun();
  void OnRunGone();
  void ReportProgress();
  void ReportProgressLater();
  void Refuse(const Plan& plan, Cause cause);

  const Options options_;
  Seams seams_;
  GenerationFence fence_;
  std::unique_ptr<HostedRun> run_;
  int64_t runs_ = 0;                  // so far; tells a run from its successor
  std::vector<FlightRecord> last_;    // of the run before
  std::optional<Plan> next_;          // waits for the run to be gone
  std::vector<StopStages> stopping_;  // to be answered when it is gone
  bool draining_ = false;
  std::function<void()> drained_;
};

}  // namespace stagecoach

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/data/data_source.h"
#include "core/resolve/resolved_job.h"
#include "core/session/plan.h"
#include "core/session/report.h"
#include "worker/hosted_stage.h"
#include "worker/stage_watch.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// The stages of one plan that this worker holds: prepared together, started
// together, each running on its own.
//
// Thread-confined: the worker's executor.
class HostedRun final : private HostedStageListener {
 public:
  // What it works with; all outlive it.
  struct Seams {
    HostedStage::Seams stage;
    LinkNetwork& network;  // to other workers, and within this one
    std::function<std::unique_ptr<Executor>(std::string name)> make_thread;
    // Makes a stage's watch; null for none.
    std::function<std::unique_ptr<StageWatch>(const StageOptions&)> watch;
    std::function<void(Report)> report;
  };

  HostedRun(Plan plan, std::shared_ptr<const ResolvedJob> job,
            WorkerName worker, const Seams& seams);

  // Creates the stages, expects their links from below and reports
  // StagesPrepared, or StageFailed. `data` is for stage 0, if it is here.
  void Prepare(const std::shared_ptr<const DataSource>& data);

  // Connects upward; each stage runs as soon as its links stand. Reports
  // StageFinished or StageFailed in the end.
  void Start();

  // Ends every stage, wherever it stands. `gone` is called soon, never from
  // inside this call, when nothing of the run is left. Once.
  void Stop(std::function<void()> gone);

  // Reports where each stage stands that runs.
  void ReportProgress();

  const Plan& plan() const { return plan_; }
  bool stopping() const { return stopping_; }
  std::vector<RunningStage> Running() const;
  std::vector<FlightRecord> Moves() const;

 private:
  enum class Phase { kCreating, kPrepared, kRunning, kEnded };
  struct Place {
    std::shared_ptr<HostedStage> stage;
    Phase phase = Phase::kCreating;
  };

  void OnCreated(StageIndex stage, absl::Status status) override;
  void OnLinked(StageIndex stage, absl::Status status) override;
  void OnEvaluated(const Evaluation& evaluation) override;
  void OnEnded(StageIndex stage,
               absl::StatusOr<std::vector<std::string>> digest) override;

  void Host(StageIndex stage, std::shared_ptr<const DataSource> data);
  void ExpectLinks();
  void ConnectLinks();
  void StartIfLinked(Place& place);
  bool AllAre(Phase phase) const;
  void Fail(Cause cause);

  const Plan plan_;
  const std::shared_ptr<const ResolvedJob> job_;
  const WorkerName worker_;
  const Seams seams_;
  std::map<StageIndex, Place> stages_;
  bool started_ = false;
  bool failed_ = false;
  bool stopping_ = false;
  size_t left_ = 0;  // stages that are not gone yet
};

}  // namespace stagecoach

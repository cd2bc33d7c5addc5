#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/base/clock.h"
#include "core/base/executor.h"
#include "core/base/ids.h"
#include "core/job/job_status.h"
#include "worker/observers/flight_recorder.h"
#include "worker/observers/observer_list.h"
#include "worker/observers/stage_meter.h"
#include "worker/stage/stage.h"
#include "worker/stage_runner.h"
#include "worker/stage_watch.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// What happens to a hosted stage, told on the worker's executor and never from
// inside a call on the stage. Nothing is told once it was stopped.
class HostedStageListener {
 public:
  virtual ~HostedStageListener() = default;

  virtual void OnCreated(StageIndex stage, absl::Status status) = 0;

  // One of its links stands, or never will.
  virtual void OnLinked(StageIndex stage, absl::Status status) = 0;

  virtual void OnEvaluated(const Evaluation& evaluation) = 0;

  // All moves are made, or one of them failed.
  virtual void OnEnded(StageIndex stage,
                       absl::StatusOr<std::vector<std::string>> digest) = 0;
};

// One stage on this worker: its thread, observers, runner and links, from its
// creation to its end.
//
// Thread-confined to the worker's executor. The stage itself is created and
// stepped on `thread`, and given up on `slow`.
class HostedStage final : public std::enable_shared_from_this<HostedStage> {
 public:
  // What it works with; all outlive it.
  struct Seams {
    Executor& worker;
    Executor& slow;
    const Clock& clock;
    StageFactory& factory;
  };

  // `watch` may be null.
  HostedStage(StageOptions options, const WorkerName& worker,
              const Seams& seams, std::unique_ptr<Executor> thread,
              std::unique_ptr<StageWatch> watch, HostedStageListener& listener);

  void Create();

  // Once created. `network` outlives the stage.
  void ExpectBelow(LinkNetwork& network);
  void ConnectAbove(LinkNetwork& network, const std::string& address);

  // Whether every link that the stage needs stands.
  bool linked() const;

  void Start();

  // Ends the stage wherever it stands and calls `gone` once nothing of it is
  // left: at the latest after the pass that runs. Links that are still awaited
  // must have been forgotten.
  void Stop(std::function<void()> gone);

  StageIndex index() const { return options_.stage; }
  StageStatus Status() const;
  TrainingFigures Training() const { return meter_.Training(); }
  std::vector<std::string> Moves() const { return recorder_.Lines(); }

  // Has the watch show where the stage stands.
  void ShowStatus() const;

 private:
  // Carries evaluations from the stage's thread to the worker's executor.
  class Messenger;
  using End = std::unique_ptr<Link> HostedStage::*;

  std::vector<PassObserver*> Observers();
  absl::Status CreateHere();                      // on the stage's thread
  void OnRunnerDone(const absl::Status& status);  // on the stage's thread
  void Tell(std::function<void(HostedStageListener&)> what);  // on any
  LinkNetwork::Done KeepAs(End end);
  void OnLink(End end, absl::StatusOr<std::unique_ptr<Link>>& link);
  void GiveUpOnceLinksAreSettled();

  const StageOptions options_;
  const Seams seams_;
  HostedStageListener& listener_;

  StageMeter meter_;
  FlightRecorder recorder_;
  std::unique_ptr<PassObserver> messenger_;
  std::unique_ptr<StageWatch> watch_;
  ObserverList observers_;

  // Destroyed in the opposite order: nothing runs once the thread is gone, and
  // the links call the stage until they are closed.
  std::unique_ptr<Stage> stage_;
  std::unique_ptr<StageRunner> runner_;
  std::unique_ptr<Link> below_;
  std::unique_ptr<Link> above_;
  std::unique_ptr<Executor> thread_;

  bool created_ = false;  // from here on stage_ and runner_ may be read
  bool stopped_ = false;
  int awaited_links_ = 0;
  std::function<void()> gone_;
};

}  // namespace stagecoach

#include "worker/in_process_run.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "core/base/thread_executor.h"
#include "core/digest/sha256.h"
#include "worker/observers/observer_list.h"
#include "worker/observers/stage_meter.h"
#include "worker/stage_runner.h"
#include "worker/transport/in_process_link.h"

namespace stagecoach {
namespace {

// Keeps what the stage reports.
class Records final : public PassObserver {
 public:
  void OnPassBegin(Pass /*pass*/, ItemId /*item*/) override {}
  void OnPassEnd(Pass /*pass*/, ItemId /*item*/) override {}
  void OnUpdate(const UpdateRecord& record) override {
    updates.push_back(record);
  }
  void OnEvaluation(const Evaluation& evaluation) override {
    evaluations.push_back(evaluation);
  }

  std::vector<UpdateRecord> updates;
  std::vector<Evaluation> evaluations;
};

// Waits for the last stage to end, or the first to fail.
//
// Thread-safe.
class Finish {
 public:
  explicit Finish(int stages) : left_(stages) {}

  void StageEnded(const absl::Status& status) {
    const MutexLock lock(mutex_);
    --left_;
    if (status_.ok()) status_ = status;
  }

  absl::Status Wait(absl::Duration timeout) {
    const MutexLock lock(mutex_);
    const auto over = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return left_ == 0 || !status_.ok();
    };
    if (mutex_.AwaitWithTimeout(absl::Condition(&over), timeout)) {
      return status_;
    }
    return absl::DeadlineExceededError(
        absl::StrCat("not finished after ", absl::FormatDuration(timeout)));
  }

 private:
  Mutex mutex_;
  int left_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

// A stage with all that it runs on. Destroyed from the bottom up: first the
// thread, so that nothing steps any more.
class HostedStage {
 public:
  HostedStage(const InProcessOptions& options,
              std::shared_ptr<const ResolvedJob> job, StageIndex index)
      : meter_(job, index, WorkerName("in-process"), clock_),
        observers_(ObserversOf(options, index)),
        options_{.job = std::move(job),
                 .id = JobId("in-process"),
                 .generation = Generation(1),
                 .stage = index,
                 .device = options.job->spec.resources.device,
                 .data = index.value() == 0 ? options.data : nullptr} {}

  absl::Status Create(StageFactory& factory) {
    SC_ASSIGN_OR_RETURN(stage_, factory.Create(options_, observers_));
    return absl::OkStatus();
  }

  void Prepare(Finish& finish) {
    executor_ = std::make_unique<ThreadExecutor>(
        absl::StrCat("stage-", options_.stage.value()));
    runner_ = std::make_unique<StageRunner>(
        *stage_, *executor_,
        [&finish](const absl::Status& status) { finish.StageEnded(status); });
  }

  void Start() {
    stage_->Attach(below.get(), above.get());
    meter_.Start();
    runner_->Start();
  }

  // Once it returns the stage makes no move.
  void Stop() {
    if (runner_ != nullptr) runner_->Stop();
    executor_.reset();
  }

  Stage& stage() { return *stage_; }

  absl::Status Report(InProcessResult& result) {
    SC_ASSIGN_OR_RETURN(const std::vector<std::string> lines,
                        stage_->DigestLines());
    result.digest_lines.insert(result.digest_lines.end(), lines.begin(),
                               lines.end());
    StageStatus status = meter_.Status();
    status.parameters = stage_->parameter_elements();
    status.peak_memory_bytes = stage_->peak_memory_bytes();
    result.stages.push_back(std::move(status));
    result.updates.push_back(std::move(records_.updates));
    result.evaluations = std::move(records_.evaluations);
    result.training = meter_.Training();
    return absl::OkStatus();
  }

  std::unique_ptr<Link> below;
  std::unique_ptr<Link> above;

 private:
  std::vector<PassObserver*> ObserversOf(const InProcessOptions& options,
                                         StageIndex index) {
    std::vector<PassObserver*> observers = {&meter_, &records_};
    PassObserver* const another =
        options.observer ? options.observer(index) : nullptr;
    if (another != nullptr) observers.push_back(another);
    return observers;
  }

  const SystemClock clock_;
  StageMeter meter_;
  Records records_;
  ObserverList observers_;
  const StageOptions options_;
  std::unique_ptr<Stage> stage_;
  std::unique_ptr<StageRunner> runner_;
  std::unique_ptr<ThreadExecutor> executor_;
};

// The stages and what joins them. Destroyed from the bottom up: the links
// close before the executor that serves them goes.
class Pipeline {
 public:
  ~Pipeline() { Stop(); }

  absl::Status Build(StageFactory& factory, const InProcessOptions& options,
                     const std::shared_ptr<const ResolvedJob>& job) {
    for (int stage = 0; stage < job->num_stages(); ++stage) {
      stages_.push_back(
          std::make_unique<HostedStage>(options, job, StageIndex(stage)));
      SC_RETURN_IF_ERROR(stages_.back()->Create(factory));
    }
    return absl::OkStatus();
  }

  absl::Status Run(const InProcessOptions& options) {
    Finish finish(static_cast<int>(stages_.size()));
    for (const auto& stage : stages_) stage->Prepare(finish);
    for (size_t lower = 0; lower + 1 < stages_.size(); ++lower) {
      Join(*stages_[lower], *stages_[lower + 1],
           StageIndex(static_cast<int>(lower)), options);
    }
    for (const auto& stage : stages_) stage->Start();
    absl::Status status = finish.Wait(options.timeout);
    Stop();
    return status;
  }

  absl::StatusOr<InProcessResult> Report() {
    InProcessResult result;
    for (const auto& stage : stages_) {
      SC_RETURN_IF_ERROR(stage->Report(result));
    }
    Sha256 digest;
    for (const std::string& line : result.digest_lines) digest.Update(line);
    result.weights_digest = digest.Finish();
    return result;
  }

 private:
  void Join(HostedStage& lower, HostedStage& upper, StageIndex index,
            const InProcessOptions& options) {
    InProcessLink link =
        MakeInProcessLink(*lower.stage().above(), lower.stage().from_above(),
                          upper.stage().from_below(), link_executor_, memory_);
    if (options.wrap_link) {
      link.lower = options.wrap_link(index, true, std::move(link.lower));
      link.upper = options.wrap_link(index, false, std::move(link.upper));
    }
    lower.above = std::move(link.lower);
    upper.below = std::move(link.upper);
  }

  void Stop() {
    for (const auto& stage : stages_) stage->Stop();
    for (const auto& stage : stages_) {
      stage->below.reset();
      stage->above.reset();
    }
  }

  AlignedFrameMemory memory_;
  ThreadExecutor link_executor_{"links"};
  std::vector<std::unique_ptr<HostedStage>> stages_;
};

std::shared_ptr<const ResolvedJob> JobOf(const InProcessOptions& options) {
  if (options.evaluate) return options.job;
  auto job = std::make_shared<ResolvedJob>(*options.job);
  job->evaluate_every = 0;
  return job;
}

}  // namespace

absl::StatusOr<InProcessResult> RunInProcess(StageFactory& factory,
                                             const InProcessOptions& options) {
  Pipeline pipeline;
  SC_RETURN_IF_ERROR(pipeline.Build(factory, options, JobOf(options)));
  SC_RETURN_IF_ERROR(pipeline.Run(options));
  return pipeline.Report();
}

}  // namespace stagecoach

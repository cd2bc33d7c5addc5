#include "worker/stage_runner.h"

#include <utility>

#include "core/base/mutex.h"

namespace stagecoach {

// Shared with the tasks on the executor and with the stage's waker, which may
// outlive the runner.
struct StageRunner::State : std::enable_shared_from_this<State> {
  enum class Phase {
    kNotStarted,
    kIdle,      // waits for a wake-up
    kPosted,    // a step is on the executor
    kStepping,  // on the stage thread
    kEnded,
  };

  State(Stage& stage_to_run, Executor& stage_executor, Done when_done)
      : stage(stage_to_run),
        executor(stage_executor),
        done(std::move(when_done)) {}

  // Posts a step if the stage is in this phase.
  void Begin(Phase from);
  void Stop();
  void PostLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  void RunStep();
  bool EnterStep();
  // Whether this step ended the run.
  bool LeaveStep(bool last, bool idle);

  Stage& stage;
  Executor& executor;
  const Done done;
  Mutex mutex;
  Phase phase ABSL_GUARDED_BY(mutex) = Phase::kNotStarted;
  bool woken ABSL_GUARDED_BY(mutex) = false;  // since the step began
};

void StageRunner::State::Begin(Phase from) {
  const MutexLock lock(mutex);
  if (phase == Phase::kStepping) woken = true;
  if (phase == from) PostLocked();
}

void StageRunner::State::Stop() {
  const MutexLock lock(mutex);
  phase = Phase::kEnded;
}

// Under the lock: once Stop() has returned, the executor may be gone.
void StageRunner::State::PostLocked() {
  phase = Phase::kPosted;
  executor.Post([state = shared_from_this()] { state->RunStep(); });
}

bool StageRunner::State::EnterStep() {
  const MutexLock lock(mutex);
  if (phase != Phase::kPosted) return false;
  phase = Phase::kStepping;
  woken = false;
  return true;
}

bool StageRunner::State::LeaveStep(bool last, bool idle) {
  const MutexLock lock(mutex);
  if (phase == Phase::kEnded) return false;
  if (last) {
    phase = Phase::kEnded;
  } else if (idle && !woken) {
    phase = Phase::kIdle;
  } else {
    PostLocked();
  }
  return last;
}

void StageRunner::State::RunStep() {
  if (!EnterStep()) return;
  const absl::StatusOr<StepResult> result = stage.Step();
  const bool last = !result.ok() || result->kind == StepResult::Kind::kFinished;
  const bool idle = result.ok() && result->kind == StepResult::Kind::kWaiting;
  if (LeaveStep(last, idle)) done(result.status());
}

StageRunner::StageRunner(Stage& stage, Executor& executor, Done done)
    : state_(std::make_shared<State>(stage, executor, std::move(done))) {
  stage.SetWaker([state = std::weak_ptr<State>(state_)] {
    if (const auto alive = state.lock()) alive->Begin(State::Phase::kIdle);
  });
}

StageRunner::~StageRunner() { Stop(); }

void StageRunner::Start() { state_->Begin(State::Phase::kNotStarted); }

void StageRunner::Stop() { state_->Stop(); }

}  // namespace stagecoach

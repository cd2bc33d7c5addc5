#pragma once

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "core/base/executor.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// Drives one stage on an executor: step after step while the stage moves, then
// idle until the stage's waker calls.
//
// No wake-up is lost. A step may miss what arrives while it runs; but whoever
// brings it calls Wake() after it can be seen, and a Wake() during a step makes
// another step follow. The flag is cleared before a step, never after it.
//
// Thread-safe. The stage outlives the executor's last task: destroy the
// executor, then runner and stage.
class StageRunner {
 public:
  // Called once, on the executor: OK when the stage has finished, else the
  // error that ended it. Not called after Stop().
  using Done = std::function<void(absl::Status)>;

  // Sets the stage's waker. Takes no step before Start().
  StageRunner(Stage& stage, Executor& executor, Done done);
  ~StageRunner();  // stops

  void Start();

  // Returns at once. A step that runs goes on to its end, which is bounded: a
  // pass over one item. None begins after it.
  void Stop();

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace stagecoach

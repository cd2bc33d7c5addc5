#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/executor.h"
#include "core/base/random.h"

namespace stagecoach {

// One thread of a simulated process: its tasks run on a common executor, each a
// little later than asked for, as chance wills, but in order. When the process
// is killed, those that have not run never do.
//
// Thread-confined: the simulation's thread.
class SimulatedExecutor final : public Executor {
 public:
  struct Chance {
    Random& random;
    absl::Duration longest;  // delay of a task
  };

  // All outlive it. `alive` is the process's.
  SimulatedExecutor(Executor& common, const Clock& clock, const Chance& chance,
                    std::shared_ptr<const bool> alive)
      : common_(common),
        clock_(clock),
        chance_(chance),
        process_alive_(std::move(alive)) {}

  void Post(std::function<void()> task) override {
    PostAfter(absl::ZeroDuration(), std::move(task));
  }

  void PostAfter(absl::Duration delay, std::function<void()> task) override {
    absl::Duration due = clock_.Now() + delay + Delay();
    // Tasks without a delay are those whose order others rely on.
    if (delay == absl::ZeroDuration()) {
      due = std::max(due, last_due_);
      last_due_ = due;
    }
    common_.PostAfter(due - clock_.Now(),
                      [alive = std::weak_ptr<const bool>(alive_),
                       process = process_alive_, task = std::move(task)] {
                        if (!alive.expired() && *process) task();
                      });
  }

 private:
  absl::Duration Delay() {
    constexpr uint64_t kSteps = 1000;
    return chance_.longest *
           (static_cast<double>(chance_.random.Next() % kSteps) / kSteps);
  }

  Executor& common_;
  const Clock& clock_;
  const Chance chance_;
  const std::shared_ptr<const bool> process_alive_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
  absl::Duration last_due_;
};

}  // namespace stagecoach

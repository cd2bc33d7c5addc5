#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "absl/time/time.h"
#include "core/base/executor.h"
#include "core/base/mutex.h"
#include "tests/fakes/fake_clock.h"

namespace stagecoach {

// An Executor without a thread: tasks run when the test says so, on its thread,
// in the order in which they are due, those due together in the order of
// posting. So a run is the same each time.
//
// Post and PostAfter are thread-safe; the rest is for the test's thread.
class FakeExecutor final : public Executor {
 public:
  // Tasks become due by this clock, which must outlive the executor. Time
  // moves only through Advance() of the executor or of the clock.
  explicit FakeExecutor(FakeClock& clock) : clock_(clock) {}

  void Post(std::function<void()> task) override;
  void PostAfter(absl::Duration delay, std::function<void()> task) override;

  // Runs the next task that is due now; false when there is none.
  bool RunOne();

  // Runs what is due now, and what that makes due, until nothing is; returns
  // how many tasks ran. Ends the process after a million: tasks that post one
  // another for ever.
  int RunUntilIdle();

  // Moves the clock on by `by`, stopping at every moment at which a task is
  // due to run it; returns how many ran.
  int Advance(absl::Duration by);

  // Tasks that wait, due or not.
  int waiting() const;

  // How long until the next task is due; infinite when none waits.
  absl::Duration until_next() const;

 private:
  using Due = std::pair<absl::Duration, int64_t>;

  FakeClock& clock_;
  mutable Mutex mutex_;
  int64_t next_serial_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<Due, std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

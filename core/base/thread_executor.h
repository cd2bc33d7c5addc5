#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/executor.h"
#include "core/base/mutex.h"

namespace stagecoach {

// An Executor on one thread. The destructor runs what is due by then, drops the
// rest and what is posted from then on, and joins.
class ThreadExecutor final : public Executor {
 public:
  // `name` (at most 15 characters) is shown by debuggers and `top`.
  explicit ThreadExecutor(std::string name);
  ~ThreadExecutor() override;

  void Post(std::function<void()> task) override;
  void PostAfter(absl::Duration delay, std::function<void()> task) override;

 private:
  void Run(const std::string& name);
  void AwaitDueLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool SomethingDueLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const SystemClock clock_;
  Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t next_serial_ ABSL_GUARDED_BY(mutex_) = 0;
  // Ordered by due time, then by the order of posting.
  std::map<std::pair<absl::Duration, int64_t>, std::function<void()>> tasks_
      ABSL_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace stagecoach

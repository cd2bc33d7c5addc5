#include "core/base/thread_executor.h"

#include <pthread.h>

namespace stagecoach {

ThreadExecutor::ThreadExecutor(std::string name)
    : thread_([this, name = std::move(name)] { Run(name); }) {}

ThreadExecutor::~ThreadExecutor() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  thread_.join();
}

void ThreadExecutor::Post(std::function<void()> task) {
  PostAfter(absl::ZeroDuration(), std::move(task));
}

void ThreadExecutor::PostAfter(absl::Duration delay,
                               std::function<void()> task) {
  const MutexLock lock(mutex_);
  if (stopping_) return;
  tasks_.emplace(std::pair(clock_.Now() + delay, next_serial_++),
                 std::move(task));
}

bool ThreadExecutor::SomethingDueLocked() const {
  return !tasks_.empty() && tasks_.begin()->first.first <= clock_.Now();
}

// The condition is looked at again whenever the lock changes hands, so the wait
// only needs to reach the first task that is known now.
void ThreadExecutor::AwaitDueLocked() {
  const absl::Duration first =
      tasks_.empty() ? absl::InfiniteDuration() : tasks_.begin()->first.first;
  const auto due_or_changed = [this,
                               first]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return stopping_ || SomethingDueLocked() ||
           (!tasks_.empty() && tasks_.begin()->first.first < first);
  };
  const absl::Duration wait =
      tasks_.empty() ? absl::Seconds(60) : first - clock_.Now();
  mutex_.AwaitWithTimeout(absl::Condition(&due_or_changed), wait);
}

void ThreadExecutor::Run(const std::string& name) {
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
  decltype(tasks_) dropped;  // outlives the lock: tasks may own anything
  while (true) {
    std::function<void()> task;
    {
      const MutexLock lock(mutex_);
      AwaitDueLocked();
      if (SomethingDueLocked()) {
        task = std::move(tasks_.begin()->second);
        tasks_.erase(tasks_.begin());
      } else if (stopping_) {
        dropped.swap(tasks_);
        return;
      } else {
        continue;
      }
    }
    task();
  }
}

}  // namespace stagecoach

#include "tests/fakes/fake_executor.h"

#include <algorithm>

#include "core/base/check.h"

namespace stagecoach {

void FakeExecutor::Post(std::function<void()> task) {
  PostAfter(absl::ZeroDuration(), std::move(task));
}

void FakeExecutor::PostAfter(absl::Duration delay, std::function<void()> task) {
  const absl::Duration due =
      clock_.Now() + std::max(delay, absl::ZeroDuration());
  const MutexLock lock(mutex_);
  tasks_.emplace(Due(due, next_serial_++), std::move(task));
}

bool FakeExecutor::RunOne() {
  std::function<void()> task;
  {
    const absl::Duration now = clock_.Now();
    const MutexLock lock(mutex_);
    if (tasks_.empty() || tasks_.begin()->first.first > now) return false;
    task = std::move(tasks_.begin()->second);
    tasks_.erase(tasks_.begin());
  }
  task();
  return true;
}

int FakeExecutor::RunUntilIdle() {
  int ran = 0;
  while (RunOne()) {
    SC_CHECK(++ran < 1'000'000, "tasks post one another for ever");
  }
  return ran;
}

int FakeExecutor::Advance(absl::Duration by) {
  const absl::Duration end = clock_.Now() + by;
  int ran = RunUntilIdle();
  while (clock_.Now() + until_next() <= end) {
    clock_.Advance(until_next());
    ran += RunUntilIdle();
  }
  clock_.Advance(end - clock_.Now());
  return ran;
}

int FakeExecutor::waiting() const {
  const MutexLock lock(mutex_);
  return static_cast<int>(tasks_.size());
}

absl::Duration FakeExecutor::until_next() const {
  const absl::Duration now = clock_.Now();
  const MutexLock lock(mutex_);
  if (tasks_.empty()) return absl::InfiniteDuration();
  return std::max(tasks_.begin()->first.first - now, absl::ZeroDuration());
}

}  // namespace stagecoach

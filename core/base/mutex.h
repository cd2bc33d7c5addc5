#pragma once

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

#if defined(__SANITIZE_THREAD__)
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#endif

namespace stagecoach {

#if defined(__SANITIZE_THREAD__)

// The same as below, on what the thread sanitizer knows: the packaged Abseil is
// not instrumented and evaluates a waiter's condition on other threads, so that
// every correct program would be reported.
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() {
    changed_.notify_all();
    mutex_.unlock();
  }

  bool AwaitWithTimeout(const absl::Condition& condition,
                        absl::Duration timeout)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(this) {
    // A bound keeps the deadline representable.
    const auto deadline =
        std::chrono::system_clock::now() +
        absl::ToChronoMicroseconds(std::min(timeout, absl::Hours(1000)));
    std::unique_lock<std::mutex> lock(mutex_, std::adopt_lock);
    changed_.notify_all();  // gives the lock up, as Unlock() does
    const bool holds = changed_.wait_until(
        lock, deadline, [&condition] { return condition.Eval(); });
    lock.release();
    return holds;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
};

#else

// absl::Mutex, as far as the project uses it, under a name that the thread
// sanitizer's builds give something else.
//
// Thread-safe.
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.Lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }

  // Gives the lock up until `condition` holds or `timeout` has passed; says
  // whether the condition holds. The condition is evaluated under the lock.
  bool AwaitWithTimeout(const absl::Condition& condition,
                        absl::Duration timeout)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(this) {
    return mutex_.AwaitWithTimeout(condition, timeout);
  }

 private:
  absl::Mutex mutex_;
};

#endif

// Holds a Mutex for a scope.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace stagecoach

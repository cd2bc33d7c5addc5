#pragma once

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace stagecoach {

// absl::Mutex, made visible to the thread sanitizer: the packaged Abseil is
// not instrumented, so without this every correct program is reported.
//
// Thread-safe.
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    mutex_.Lock();
    Acquired();
  }
  void Unlock() ABSL_UNLOCK_FUNCTION() {
    Released();
    mutex_.Unlock();
  }

  // Gives the lock up until `condition` holds or `timeout` has passed; says
  // whether the condition holds. The condition is evaluated under the lock.
  bool AwaitWithTimeout(const absl::Condition& condition,
                        absl::Duration timeout)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(this) {
    Released();
    const bool holds = mutex_.AwaitWithTimeout(condition, timeout);
    Acquired();
    return holds;
  }

 private:
#if defined(__SANITIZE_THREAD__)
  void Acquired() { __tsan_acquire(this); }
  void Released() { __tsan_release(this); }
#else
  void Acquired() {}
  void Released() {}
#endif

  absl::Mutex mutex_;
};

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

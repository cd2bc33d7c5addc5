#pragma once

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/mutex.h"

namespace stagecoach {

// A clock that stands still until the test moves it. Starts at zero, and at
// 2020-01-01 00:00 UTC on the wall.
//
// Thread-safe.
class FakeClock final : public Clock {
 public:
  absl::Duration Now() const override {
    const MutexLock lock(mutex_);
    return now_;
  }

  absl::Time WallNow() const override {
    const MutexLock lock(mutex_);
    return wall_;
  }

  // Moves both clocks on.
  void Advance(absl::Duration by) {
    const MutexLock lock(mutex_);
    now_ += by;
    wall_ += by;
  }

  // As if an administrator had set the wall clock.
  void JumpWall(absl::Duration by) {
    const MutexLock lock(mutex_);
    wall_ += by;
  }

 private:
  mutable Mutex mutex_;
  absl::Duration now_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();
  absl::Time wall_ ABSL_GUARDED_BY(mutex_) = absl::FromUnixSeconds(1577836800);
};

}  // namespace stagecoach

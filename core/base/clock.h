#pragma once

#include "absl/time/time.h"

namespace stagecoach {

// Time as this process sees it. Never decides what a run computes.
//
// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Monotonic, from an arbitrary origin. For leases, deadlines and durations.
  virtual absl::Duration Now() const = 0;

  // For display and records only; may jump.
  virtual absl::Time WallNow() const = 0;
};

class SystemClock final : public Clock {
 public:
  absl::Duration Now() const override;
  absl::Time WallNow() const override;
};

}  // namespace stagecoach

#include "core/base/clock.h"

#include <chrono>

#include "absl/time/clock.h"

namespace stagecoach {

absl::Duration SystemClock::Now() const {
  return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

absl::Time SystemClock::WallNow() const { return absl::Now(); }

}  // namespace stagecoach

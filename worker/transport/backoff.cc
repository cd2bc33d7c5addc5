#include "worker/transport/backoff.h"

#include <algorithm>

namespace stagecoach {

absl::Duration Backoff::Next() {
  const double share = static_cast<double>(random_.Next() >> 11) * 0x1p-53;
  const absl::Duration wait = next_ * (0.8 + 0.4 * share);
  next_ = std::min(next_ * 1.6, absl::Seconds(2));
  return wait;
}

}  // namespace stagecoach

#pragma once

#include "absl/time/time.h"
#include "core/base/random.h"

namespace stagecoach {

// How long to wait before the next try: from 50 ms, each time 1.6 times longer,
// up to 2 s; spread by a fifth either way, so that many do not come at once.
//
// Thread-confined: its owner.
class Backoff {
 public:
  explicit Backoff(Random& random) : random_(random) {}

  absl::Duration Next();

 private:
  Random& random_;
  absl::Duration next_ = absl::Milliseconds(50);
};

}  // namespace stagecoach

#pragma once

#include <algorithm>
#include <optional>

#include "absl/time/time.h"

namespace stagecoach {

// When a program that ended is started again: at first soon, then less and less
// often; not at all once it keeps dying young. Pure.
class RestartPolicy {
 public:
  static constexpr absl::Duration kFirstDelay = absl::Milliseconds(100);
  static constexpr absl::Duration kLongestDelay = absl::Seconds(5);
  static constexpr absl::Duration kYoung = absl::Seconds(10);
  static constexpr int kMaxYoungDeaths = 8;  // in a row

  // How long to wait after a life of this length; none: give up.
  std::optional<absl::Duration> AfterLifeOf(absl::Duration life) {
    young_deaths_ = life < kYoung ? young_deaths_ + 1 : 1;
    if (young_deaths_ > kMaxYoungDeaths) return std::nullopt;
    return std::min(kLongestDelay, kFirstDelay * (1 << (young_deaths_ - 1)));
  }

 private:
  int young_deaths_ = 0;
};

}  // namespace stagecoach

#pragma once

#include <cstdint>

#include "core/base/mutex.h"
#include "core/base/random.h"

namespace stagecoach {

// Numbers that look random and are the same for the same seed (Steele, Lea,
// Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
//
// Thread-safe.
class FakeRandom final : public Random {
 public:
  explicit FakeRandom(uint64_t seed = 1) : state_(seed) {}

  uint64_t Next() override {
    const MutexLock lock(mutex_);
    state_ += 0x9E3779B97F4A7C15;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }

 private:
  Mutex mutex_;
  uint64_t state_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

#pragma once

#include <cstdint>

namespace stagecoach {

// Numbers that name things and spread retries. Never used for what a run
// computes: that takes Philox streams.
//
// Thread-safe.
class Random {
 public:
  virtual ~Random() = default;

  // Any 64-bit number, each equally likely.
  virtual uint64_t Next() = 0;
};

// From the operating system.
class SystemRandom final : public Random {
 public:
  uint64_t Next() override;
};

}  // namespace stagecoach

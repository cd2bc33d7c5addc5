#pragma once

#include <array>
#include <cstdint>

namespace stagecoach {

using PhiloxKey = std::array<uint32_t, 2>;
using PhiloxWords = std::array<uint32_t, 4>;

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy
// as 1, 2, 3", SC 2011): four random words that depend on key and counter
// alone, so any worker can compute any part of a stream. Words lowest first.
PhiloxWords Philox(PhiloxKey key, PhiloxWords counter);

// What a stream of random numbers is for. The numbers are part of the
// definition of a run (docs/definitions.md, section 1): never renumber.
enum class StreamPurpose : uint32_t {
  kInitialWeights = 1,
  kDataOrder = 2,
  kAugmentation = 3,
  kDropout = 4,
  kSmoothingNoise = 5,
};

// The key of a run's stream for one purpose.
PhiloxKey StreamKey(uint64_t seed, StreamPurpose purpose);

// A number in [0, bound), from one random word. 1 <= bound < 2^31.
constexpr uint32_t Below(uint32_t word, uint32_t bound) {
  return static_cast<uint32_t>((static_cast<uint64_t>(word) * bound) >> 32);
}

}  // namespace stagecoach

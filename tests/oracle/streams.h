#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace stagecoach::oracle {

// Section 1 of docs/definitions.md: the random streams, and what section 2 and
// 3 draw from them. Nothing here is the product's.

using Words = std::array<uint32_t, 4>;
using Key = std::array<uint32_t, 2>;

enum Purpose : uint32_t { kWeights = 1, kOrder = 2, kAugmentation = 3 };

Words Philox(Key key, Words counter);
Key KeyOf(uint64_t seed, Purpose purpose);
uint32_t Below(uint32_t word, uint32_t n);

// The words that (sample, epoch, place) draws from a stream.
Words SampleWords(Key key, int64_t sample, int64_t epoch, int64_t place);

// Initial value of element q of the model's numbering of parameters.
float InitialValue(uint64_t seed, int64_t q, int64_t fan_in);

// The samples of an epoch in the order in which it visits them.
std::vector<int64_t> OrderOf(uint64_t seed, int64_t samples, int64_t epoch);

}  // namespace stagecoach::oracle

#pragma once

#include <cstdint>

namespace stagecoach {

// The seed of this test's accidents, printed so that a failure can be repeated:
// STAGECOACH_SEED of the environment, otherwise a number never used before.
uint64_t TestSeed();

}  // namespace stagecoach

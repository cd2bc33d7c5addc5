#include "tests/support/seed.h"

#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace stagecoach {

uint64_t TestSeed() {
  const char* given = std::getenv("STAGECOACH_SEED");
  const uint64_t seed =
      given != nullptr ? std::stoull(given) : std::random_device()();
  std::cerr << "STAGECOACH_SEED=" << seed << " repeats this\n";
  return seed;
}

}  // namespace stagecoach

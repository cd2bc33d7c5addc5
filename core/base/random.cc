#include "core/base/random.h"

#include <random>

namespace stagecoach {

uint64_t SystemRandom::Next() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

}  // namespace stagecoach

#include "core/base/philox.h"

namespace stagecoach {

PhiloxWords Philox(PhiloxKey key, PhiloxWords counter) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53;
  constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9;
  constexpr uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0];
    const uint64_t product1 = kMultiplier1 * counter[2];
    counter = {
        static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
        static_cast<uint32_t>(product1),
        static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
        static_cast<uint32_t>(product0),
    };
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

PhiloxKey StreamKey(uint64_t seed, StreamPurpose purpose) {
  const PhiloxWords words =
      Philox({static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
             {static_cast<uint32_t>(purpose), 0, 0, 0});
  return {words[0], words[1]};
}

}  // namespace stagecoach

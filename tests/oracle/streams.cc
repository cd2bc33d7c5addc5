#include "tests/oracle/streams.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace stagecoach::oracle {
namespace {

uint32_t Low(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t High(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

}  // namespace

Words Philox(Key key, Words counter) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{0xD2511F53} * counter[0];
    const uint64_t odd = uint64_t{0xCD9E8D57} * counter[2];
    counter = {High(odd) ^ counter[1] ^ key[0], Low(odd),
               High(even) ^ counter[3] ^ key[1], Low(even)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Key KeyOf(uint64_t seed, Purpose purpose) {
  const Words words = Philox({Low(seed), High(seed)}, {purpose, 0, 0, 0});
  return {words[0], words[1]};
}

uint32_t Below(uint32_t word, uint32_t n) { return High(uint64_t{word} * n); }

Words SampleWords(Key key, int64_t sample, int64_t epoch, int64_t place) {
  return Philox(key, {Low(sample), High(sample), Low(epoch), Low(place)});
}

float InitialValue(uint64_t seed, int64_t q, int64_t fan_in) {
  const int64_t block = q / 4;
  const Words words =
      Philox(KeyOf(seed, kWeights), {Low(block), High(block), 0, 0});
  const double u = static_cast<double>(words[q % 4] >> 8) - 8388608.0;
  const double bound = 1.0 / std::sqrt(static_cast<double>(fan_in));
  return static_cast<float>(bound * u * 0x1p-23);
}

std::vector<int64_t> OrderOf(uint64_t seed, int64_t samples, int64_t epoch) {
  const Key key = KeyOf(seed, kOrder);
  std::vector<std::tuple<uint64_t, int64_t>> places;
  for (int64_t sample = 0; sample < samples; ++sample) {
    const Words w = SampleWords(key, sample, epoch, 0);
    places.emplace_back(w[0] + (uint64_t{w[1]} << 32), sample);
  }
  std::sort(places.begin(), places.end());
  std::vector<int64_t> order;
  for (const auto& [place, sample] : places) order.push_back(sample);
  return order;
}

}  // namespace stagecoach::oracle

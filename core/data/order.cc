#include "core/data/order.h"

#include <algorithm>
#include <utility>

#include "core/base/philox.h"

namespace stagecoach {

std::vector<int64_t> EpochOrder(uint64_t seed, int64_t epoch, int64_t samples) {
  const PhiloxKey key = StreamKey(seed, StreamPurpose::kDataOrder);
  std::vector<std::pair<uint64_t, int64_t>> places;
  places.reserve(static_cast<size_t>(samples));
  for (int64_t sample = 0; sample < samples; ++sample) {
    const auto bits = static_cast<uint64_t>(sample);
    const PhiloxWords words = Philox(
        key, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32),
              static_cast<uint32_t>(epoch), 0});
    places.emplace_back(words[0] | uint64_t{words[1]} << 32, sample);
  }
  std::sort(places.begin(), places.end());
  std::vector<int64_t> order;
  order.reserve(places.size());
  for (const auto& [word, sample] : places) order.push_back(sample);
  return order;
}

int64_t BatchesPerEpoch(int64_t samples, int64_t batch_size) {
  return samples / batch_size + (samples % batch_size == 0 ? 0 : 1);
}

Batch BatchOf(int64_t item, int64_t samples, int64_t batch_size) {
  const int64_t batches = BatchesPerEpoch(samples, batch_size);
  const int64_t begin = item % batches * batch_size;
  return {.epoch = item / batches,
          .begin = begin,
          .end = std::min(begin + batch_size, samples)};
}

}  // namespace stagecoach

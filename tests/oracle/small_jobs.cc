#include "tests/oracle/small_jobs.h"

#include <random>

namespace stagecoach::oracle {

Images SyntheticImages(int64_t samples, int64_t classes, int64_t channels,
                       uint32_t seed) {
  constexpr int64_t kSide = 8;
  const int64_t size = channels * kSide * kSide;
  // The patterns are the same for every seed, so that one set can test what
  // was learned on another. Raw words: distributions differ among libraries.
  std::mt19937 patterns_random(1);
  std::mt19937 random(seed);
  std::vector<uint32_t> patterns(classes * size);
  for (uint32_t& value : patterns) value = patterns_random() % 128;
  Images images{.channels = channels, .height = kSide, .width = kSide};
  for (int64_t i = 0; i < samples; ++i) {
    const int64_t label = static_cast<int64_t>(random() % classes);
    images.labels.push_back(label);
    for (int64_t j = 0; j < size; ++j) {
      const uint32_t noise = random() % 128;
      images.pixels.push_back(
          static_cast<uint8_t>(patterns[label * size + j] + noise));
    }
  }
  return images;
}

OracleJob SmallJob() {
  OracleJob job;
  job.seed = 7;
  job.staleness = {0};
  job.optimizer = {.momentum = 0.9f};
  job.rate = {.base = 0.05, .cosine = true, .warm_up = 2};
  job.batch_size = 16;
  job.epochs = 2;
  job.training = SyntheticImages(110, 4, 3, 2);
  job.test = SyntheticImages(40, 4, 3, 3);
  job.normalisation = {.mean = {0.5, 0.5, 0.5}, .std = {0.22, 0.22, 0.22}};
  return job;
}

OracleJob SmallMlp() {
  OracleJob job = SmallJob();
  job.units = Mlp({3 * 8 * 8, 24, 20, 4});
  return job;
}

OracleJob SmallResNet() {
  OracleJob job = SmallJob();
  job.units = ResNet(8, 4, 4, 3);
  return job;
}

}  // namespace stagecoach::oracle

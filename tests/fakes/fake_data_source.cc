#include "tests/fakes/fake_data_source.h"

#include "tests/fakes/fake_random.h"

namespace stagecoach {

FakeDataSource::FakeDataSource(const DataFacts& facts) : facts_(facts) {
  const int64_t size = ElementsOf(facts.sample);
  const int64_t samples = facts.train_samples + facts.test_samples;
  pixels_.resize(static_cast<size_t>(samples * size));
  FakeRandom random(7);
  for (uint8_t& pixel : pixels_) pixel = static_cast<uint8_t>(random.Next());
  for (int64_t sample = 0; sample < samples; ++sample) {
    const int64_t target =
        sample < facts.train_samples
            ? Target(Split::kTrain, sample)
            : Target(Split::kTest, sample - facts.train_samples);
    pixels_[static_cast<size_t>(sample * size + target % size)] = 255;
  }
}

absl::Span<const uint8_t> FakeDataSource::Sample(Split split,
                                                 int64_t index) const {
  const int64_t size = ElementsOf(facts_.sample);
  const int64_t place =
      split == Split::kTrain ? index : facts_.train_samples + index;
  return absl::MakeConstSpan(pixels_).subspan(static_cast<size_t>(place * size),
                                              static_cast<size_t>(size));
}

int64_t FakeDataSource::Target(Split /*split*/, int64_t index) const {
  return index * 7 % facts_.classes;
}

}  // namespace stagecoach

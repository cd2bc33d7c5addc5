#include "worker/data/batch_loader.h"

#include <algorithm>

#include "core/data/order.h"

namespace stagecoach {
namespace {

std::array<float, 256> NormalisedBytes(const DataSource& source) {
  std::array<float, 256> values;
  for (size_t byte = 0; byte < values.size(); ++byte) {
    values[byte] =
        static_cast<float>((static_cast<double>(byte) / 255.0 - source.mean()) /
                           source.standard_deviation());
  }
  return values;
}

}  // namespace

BatchLoader::BatchLoader(const Options& options)
    : options_(options),
      sample_(options.source->facts().sample),
      sample_elements_(ElementsOf(sample_)),
      augmentations_(options.augment, options.seed),
      normalised_(NormalisedBytes(*options.source)),
      augmented_(static_cast<size_t>(sample_elements_)) {}

LoadedBatch BatchLoader::Train(ItemId item) {
  const DataSource& source = *options_.source;
  const Batch batch =
      BatchOf(item.value(), source.facts().train_samples, options_.batch_size);
  const std::vector<int64_t>& order = OrderOf(batch.epoch);
  LoadedBatch loaded = Empty(batch.size());
  auto* image = loaded.images.mutable_data_ptr<float>();
  auto* target = loaded.targets.mutable_data_ptr<int64_t>();
  for (int64_t place = batch.begin; place < batch.end; ++place) {
    const int64_t sample = order[static_cast<size_t>(place)];
    const absl::Span<const uint8_t> stored =
        source.Sample(Split::kTrain, sample);
    const uint8_t* bytes = stored.data();
    if (!options_.augment.empty()) {
      std::copy(stored.begin(), stored.end(), augmented_.begin());
      augmentations_.Apply(sample, batch.epoch, sample_,
                           absl::MakeSpan(augmented_));
      bytes = augmented_.data();
    }
    Fill(bytes, image);
    image += sample_elements_;
    *target++ = source.Target(Split::kTrain, sample);
  }
  return loaded;
}

LoadedBatch BatchLoader::Test(ItemId item) const {
  const DataSource& source = *options_.source;
  const Batch batch =
      BatchOf(item.value(), source.facts().test_samples, options_.batch_size);
  LoadedBatch loaded = Empty(batch.size());
  auto* image = loaded.images.mutable_data_ptr<float>();
  auto* target = loaded.targets.mutable_data_ptr<int64_t>();
  for (int64_t sample = batch.begin; sample < batch.end; ++sample) {
    Fill(source.Sample(Split::kTest, sample).data(), image);
    image += sample_elements_;
    *target++ = source.Target(Split::kTest, sample);
  }
  return loaded;
}

const std::vector<int64_t>& BatchLoader::OrderOf(int64_t epoch) {
  if (epoch != epoch_) {
    order_ = EpochOrder(options_.seed, epoch,
                        options_.source->facts().train_samples);
    epoch_ = epoch;
  }
  return order_;
}

LoadedBatch BatchLoader::Empty(int64_t samples) const {
  Shape shape = {samples};
  shape.insert(shape.end(), sample_.begin(), sample_.end());
  const bool images = shape.size() == 4;
  const auto format = options_.channels_last && images
                          ? at::MemoryFormat::ChannelsLast
                          : at::MemoryFormat::Contiguous;
  return {.images = at::empty(shape, torch::kFloat32, {}, {}, {}, format),
          .targets = at::empty({samples}, torch::kInt64)};
}

void BatchLoader::Fill(const uint8_t* bytes, float* image) const {
  const int64_t channels = sample_.front();
  if (!options_.channels_last || channels == 1 || sample_.size() != 3) {
    for (int64_t i = 0; i < sample_elements_; ++i) {
      image[i] = normalised_[bytes[i]];
    }
    return;
  }
  const int64_t places = sample_elements_ / channels;
  for (int64_t channel = 0; channel < channels; ++channel) {
    for (int64_t place = 0; place < places; ++place) {
      image[place * channels + channel] = normalised_[*bytes++];
    }
  }
}

}  // namespace stagecoach

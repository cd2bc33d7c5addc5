#include "worker/data/batch_loader.h"

#include <torch/types.h>

#include <memory>
#include <vector>

#include "core/data/order.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_data_source.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;

const DataFacts kColour = {
    .sample = {3, 4, 5}, .train_samples = 7, .test_samples = 4, .classes = 3};

BatchLoader::Options OptionsOf(const DataFacts& facts, bool channels_last) {
  return {.source = std::make_shared<FakeDataSource>(facts),
          .seed = 5,
          .batch_size = 3,
          .channels_last = channels_last};
}

// docs/definitions.md, section 4, with the fake's mean 0.25 and deviation 0.5.
float Normalised(uint8_t byte) {
  return static_cast<float>((byte / 255.0 - 0.25) / 0.5);
}

void ExpectSample(const at::Tensor& image, absl::Span<const uint8_t> bytes) {
  const at::Tensor rows = image.contiguous().flatten();
  ASSERT_EQ(rows.numel(), static_cast<int64_t>(bytes.size()));
  for (size_t i = 0; i < bytes.size(); ++i) {
    ASSERT_EQ(rows[static_cast<int64_t>(i)].item<float>(), Normalised(bytes[i]))
        << "byte " << i;
  }
}

TEST(BatchLoaderTest, ABatchIsItsPlacesOfTheEpochsOrder) {
  for (const bool channels_last : {false, true}) {
    const auto options = OptionsOf(kColour, channels_last);
    BatchLoader loader(options);
    // Seven samples are three batches; item 5 is the last of epoch 1.
    const std::vector<int64_t> order = EpochOrder(5, 1, 7);

    const LoadedBatch batch = loader.Train(ItemId(4));
    const LoadedBatch rest = loader.Train(ItemId(5));

    ASSERT_EQ(batch.images.size(0), 3);
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t sample = order[static_cast<size_t>(3 + i)];
      ExpectSample(batch.images[i],
                   options.source->Sample(Split::kTrain, sample));
      EXPECT_EQ(batch.targets[i].item<int64_t>(),
                options.source->Target(Split::kTrain, sample));
    }
    ASSERT_EQ(rest.images.size(0), 1);
    ExpectSample(rest.images[0],
                 options.source->Sample(Split::kTrain, order[6]));
  }
}

TEST(BatchLoaderTest, EvaluationVisitsTheTestSamplesInFileOrder) {
  const auto options = OptionsOf(kColour, true);
  const BatchLoader loader(options);

  const LoadedBatch batch = loader.Test(ItemId(1));

  ASSERT_EQ(batch.images.size(0), 1);
  ExpectSample(batch.images[0], options.source->Sample(Split::kTest, 3));
  EXPECT_EQ(batch.targets[0].item<int64_t>(),
            options.source->Target(Split::kTest, 3));
}

TEST(BatchLoaderTest, LiesAsTheJobSays) {
  BatchLoader rows(OptionsOf(kColour, false));
  BatchLoader last(OptionsOf(kColour, true));
  DataFacts grey = kColour;
  grey.sample = {1, 4, 5};
  BatchLoader grey_last(OptionsOf(grey, true));

  EXPECT_THAT(rows.Train(ItemId(0)).images.strides().vec(),
              ElementsAre(60, 20, 5, 1));
  EXPECT_THAT(last.Train(ItemId(0)).images.strides().vec(),
              ElementsAre(60, 1, 15, 3));
  EXPECT_THAT(grey_last.Train(ItemId(0)).images.strides().vec(),
              ElementsAre(20, 1, 5, 1));
}

TEST(BatchLoaderTest, AugmentsTrainingSamplesOnly) {
  auto options = OptionsOf(kColour, false);
  BatchLoader plain(options);
  options.augment = {{.name = "random_crop", .parameters = {{"padding", 2}}},
                     {.name = "horizontal_flip"}};
  BatchLoader loader(options);
  const AugmentationList augmentations(options.augment, 5);
  const int64_t sample = EpochOrder(5, 0, 7)[0];
  const auto stored = options.source->Sample(Split::kTrain, sample);
  std::vector<uint8_t> expected(stored.begin(), stored.end());
  augmentations.Apply(sample, 0, kColour.sample, absl::MakeSpan(expected));

  ExpectSample(loader.Train(ItemId(0)).images[0], expected);
  EXPECT_TRUE(
      at::equal(loader.Test(ItemId(0)).images, plain.Test(ItemId(0)).images));
}

TEST(BatchLoaderTest, LoadingAgainGivesTheSame) {
  BatchLoader loader(OptionsOf(kColour, true));

  const LoadedBatch first = loader.Train(ItemId(1));
  loader.Train(ItemId(7));
  const LoadedBatch again = loader.Train(ItemId(1));

  EXPECT_TRUE(at::equal(first.images, again.images));
  EXPECT_TRUE(at::equal(first.targets, again.targets));
}

}  // namespace
}  // namespace stagecoach

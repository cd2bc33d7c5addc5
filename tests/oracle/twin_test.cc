#include "tests/oracle/twin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/data/augmentation.h"
#include "core/data/order.h"
#include "core/model/initial_weights.h"
#include "core/resolve/resolved_job.h"
#include "tests/oracle/streams.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

ResolvedJob Resolved(const Twin& twin) {
  absl::StatusOr<ResolvedJob> job =
      ResolveJob(twin.spec, DataOf(twin)->facts());
  EXPECT_THAT(job, IsOk());
  return job.ok() ? *std::move(job) : ResolvedJob{};
}

const Twin kTwins[] = {
    WithDsp(MlpTwin(), {1, 2}, {4, 2, 0}),
    WithFormat(WithDsp(ResNetTwin(), {1, 2, 4}, {3, 1, 1, 0}),
               at::MemoryFormat::Contiguous),
    WithAugmentation(WithSeed(WithBp(ResNetTwin(), {2}), ~uint64_t{0}))};

// Part by part what ClusterEqualsOracleTest shows for the whole: it tells where
// to look.
TEST(TwinTest, BothSidesMeanTheSameJob) {
  for (const Twin& twin : kTwins) {
    const ResolvedJob job = Resolved(twin);
    EXPECT_EQ(job.steps_per_epoch, oracle::BatchesOf(twin.oracle));
    EXPECT_EQ(job.steps, oracle::ItemsOf(twin.oracle));
    EXPECT_EQ(job.evaluate_every, oracle::BatchesOf(twin.oracle));
    EXPECT_EQ(job.cuts, twin.oracle.cuts);
    EXPECT_EQ(job.channels_last,
              twin.oracle.format == at::MemoryFormat::ChannelsLast);
    for (size_t k = 0; k < job.stages.size(); ++k) {
      EXPECT_EQ(job.stages[k].window,
                twin.oracle.bp ? 0 : twin.oracle.staleness[k]);
    }
    for (int64_t t = 0; t < job.steps; ++t) {
      EXPECT_EQ(job.learning_rate->At(t),
                oracle::RateAt(twin.oracle.rate, t, job.steps));
    }
  }
}

TEST(TwinTest, BothSidesStartFromTheSameTensors) {
  for (const Twin& twin : kTwins) {
    const ResolvedJob job = Resolved(twin);
    const auto specs = oracle::SpecsOf(twin.oracle.units);
    const auto initial = oracle::InitialTensors(specs, twin.oracle.seed,
                                                at::MemoryFormat::Contiguous);
    const std::vector<NamedTensor> tensors = TensorsOf(job.model.units);
    ASSERT_EQ(tensors.size(), specs.size());
    for (size_t j = 0; j < tensors.size(); ++j) {
      const PlacedTensor& tensor = *tensors[j].tensor;
      EXPECT_EQ(tensor.name, specs[j].name);
      EXPECT_EQ(tensor.shape, specs[j].shape);
      EXPECT_EQ(tensors[j].is_buffer, specs[j].is_buffer);
      std::vector<float> values(static_cast<size_t>(tensor.elements()));
      FillInitial(tensor, twin.spec.seed, absl::MakeSpan(values));
      const at::Tensor& expected = initial.at(tensor.name);
      EXPECT_TRUE(std::equal(values.begin(), values.end(),
                             expected.const_data_ptr<float>()))
          << tensor.name;
    }
  }
}

TEST(TwinTest, BothSidesDrawTheSameSamples) {
  for (const Twin& twin : kTwins) {
    const int64_t samples = twin.oracle.training.samples();
    for (int64_t epoch = 0; epoch < 3; ++epoch) {
      EXPECT_EQ(EpochOrder(twin.spec.seed, epoch, samples),
                oracle::OrderOf(twin.oracle.seed, samples, epoch));
    }
  }
}

TEST(TwinTest, BothSidesAugmentAlike) {
  const Twin twin = WithAugmentation(ResNetTwin());
  const auto data = DataOf(twin);
  const ResolvedJob job = Resolved(twin);
  const AugmentationList augmentations(job.spec.data.augment, twin.spec.seed);
  for (int64_t sample = 0; sample < 50; ++sample) {
    const int64_t epoch = sample % 3;
    const auto stored = data->Sample(Split::kTrain, sample);
    std::vector<uint8_t> image(stored.begin(), stored.end());
    augmentations.Apply(sample, epoch, data->facts().sample,
                        absl::MakeSpan(image));
    // Without mean and scale the batch is the bytes over 255.
    const oracle::Batch batch =
        oracle::MakeBatch(twin.oracle.training, {{0, 0, 0}, {1, 1, 1}},
                          {sample}, twin.oracle.augmentations, twin.oracle.seed,
                          epoch, at::MemoryFormat::Contiguous);
    for (size_t j = 0; j < image.size(); ++j) {
      ASSERT_EQ(batch.inputs.const_data_ptr<float>()[j],
                static_cast<float>(image[j] / 255.0))
          << "sample " << sample << " byte " << j;
    }
  }
}

}  // namespace
}  // namespace stagecoach

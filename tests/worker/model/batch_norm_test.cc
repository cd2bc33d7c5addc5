#include "worker/model/layers/batch_norm.h"

#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "gtest/gtest.h"
#include "tests/worker/model/placed_models.h"

namespace stagecoach {
namespace {

Model OneNorm(const Shape& input) {
  return PlacedModel({LayerOf("norm", "batch_norm")}, input);
}

// Two channels: 1 2 3 6 (mean 3, squared deviations 14) and 10 10 10 10.
torch::Tensor Batch() {
  return torch::tensor({{1.f, 10.f}, {2.f, 10.f}, {3.f, 10.f}, {6.f, 10.f}});
}

TEST(BatchNormTest, NormalisesByTheBatchInTraining) {
  const Model model = OneNorm({2});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {2, 2});
  SetValues(network->parameters()[1], {1, -1});

  const torch::Tensor output =
      network->Forward(Batch(), ForwardMode::kTrain, nullptr);

  const double deviation = std::sqrt(14.0 / 4 + 1e-5);
  EXPECT_NEAR(output[0][0].item<double>(), 1 - 4 / deviation, 1e-6);
  EXPECT_NEAR(output[3][0].item<double>(), 1 + 6 / deviation, 1e-6);
  // Of constant values an error of one part in 2^24 is left, times 2 /
  // sqrt(eps).
  EXPECT_NEAR(output[2][1].item<double>(), -1, 1e-3);
}

TEST(BatchNormTest, MeasuresMeanAndUnbiasedVarianceWhereAsked) {
  const Model model = OneNorm({2});
  const auto network = NetworkOf(model);
  BatchStatistics statistics;

  const torch::Tensor asked =
      network->Forward(Batch(), ForwardMode::kTrain, &statistics);
  const torch::Tensor not_asked =
      network->Forward(Batch(), ForwardMode::kTrain, nullptr);

  ASSERT_EQ(statistics.size(), 2u);
  EXPECT_TRUE(torch::equal(statistics[0], torch::tensor({3.0f, 10.0f})));
  EXPECT_TRUE(torch::allclose(statistics[1], torch::tensor({14.0f / 3, 0.0f})));
  EXPECT_TRUE(torch::equal(asked, not_asked));
}

TEST(BatchNormTest, GradientsAreTheSameBitsWhetherMeasuredOrNot) {
  const Model model = PlacedModel({LayerOf("norm", "batch_norm")}, {8, 5, 5});
  const auto network = NetworkOf(model, {.channels_last = true});
  const torch::Tensor images =
      at::sin(at::arange(6.0f * 8 * 5 * 5)).reshape({6, 8, 5, 5});
  BatchStatistics statistics;

  const auto gradients = [&](BatchStatistics* wanted) {
    const torch::Tensor output =
        network->Forward(images, ForwardMode::kTrain, wanted);
    return torch::autograd::grad({(output * at::cos(images)).sum()},
                                 network->parameters());
  };
  const auto with = gradients(&statistics);
  const auto without = gradients(nullptr);

  EXPECT_TRUE(torch::equal(with[0], without[0]));
  EXPECT_TRUE(torch::equal(with[1], without[1]));
}

TEST(BatchNormTest, TrainingNeitherReadsNorWritesTheBuffers) {
  const Model model = OneNorm({2});
  const auto network = NetworkOf(model);
  const auto before = network->DigestLines();
  const torch::Tensor first =
      network->Forward(Batch(), ForwardMode::kTrain, nullptr);
  BatchStatistics statistics;
  network->Forward(Batch(), ForwardMode::kTrain, &statistics);
  EXPECT_EQ(network->DigestLines(), before);

  network->Fold(statistics);

  EXPECT_NE(network->DigestLines(), before);
  EXPECT_TRUE(torch::equal(
      network->Forward(Batch(), ForwardMode::kTrain, nullptr), first));
}

TEST(BatchNormTest, EvaluationNormalisesByTheBuffers) {
  const Model model = OneNorm({2});
  const auto network = NetworkOf(model);

  const torch::Tensor fresh =
      network->Forward(Batch(), ForwardMode::kEvaluate, nullptr);
  network->Fold({torch::tensor({30.f, 0.f}), torch::tensor({31.f, 1.f})});
  const torch::Tensor folded =
      network->Forward(Batch(), ForwardMode::kEvaluate, nullptr);

  // Mean 0 and variance 1 at first, then 3 and 0.9 + 3.1 in channel 0.
  EXPECT_NEAR(fresh[3][0].item<double>(), 6 / std::sqrt(1 + 1e-5), 1e-6);
  EXPECT_NEAR(folded[3][0].item<double>(), 3 / std::sqrt(4 + 1e-5), 1e-6);
  EXPECT_NEAR(folded[0][1].item<double>(), 10 / std::sqrt(1 + 1e-5), 1e-5);
}

TEST(BatchNormTest, FoldsWithOneFusedOperation) {
  torch::Tensor running = torch::tensor({1.7f, 0.3f, -2.5f});
  const torch::Tensor statistic = torch::tensor({0.7f, 11.0f, 1e-3f});
  std::vector<float> expected;
  for (const auto& [old, seen] :
       {std::pair{1.7f, 0.7f}, {0.3f, 11.0f}, {-2.5f, 1e-3f}}) {
    const float kept = 0.9f * old;
    expected.push_back(std::fma(0.1f, seen, kept));
  }

  FoldStatistic(statistic, running);

  EXPECT_TRUE(torch::equal(running, torch::tensor(expected)));
}

TEST(BatchNormTest, StatisticsOfManyLayersComeAndGoInModelOrder) {
  const Model model = PlacedModel(
      {LayerOf("first", "batch_norm"), LayerOf("flatten", "flatten"),
       LayerOf("second", "batch_norm")},
      {1, 1, 2});
  const auto network = NetworkOf(model);
  BatchStatistics statistics;

  network->Forward(torch::tensor({1.f, 2.f, 3.f, 6.f}).reshape({2, 1, 1, 2}),
                   ForwardMode::kTrain, &statistics);

  ASSERT_EQ(statistics.size(), 4u);
  EXPECT_TRUE(torch::equal(statistics[0], torch::tensor({3.0f})));
  EXPECT_NEAR(statistics[1].item<double>(), 14.0 / 3, 1e-6);
  EXPECT_EQ(statistics[2].numel(), 2);
  network->Fold(statistics);  // would abort if the sizes did not fit
  network->Fold({});
}

}  // namespace
}  // namespace stagecoach

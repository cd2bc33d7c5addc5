#include "worker/optimizer/sgd.h"

#include <cmath>
#include <vector>

#include "core/model/model.h"
#include "gtest/gtest.h"
#include "tests/worker/model/placed_models.h"

namespace stagecoach {
namespace {

Value Parameters(double momentum, double weight_decay, bool nesterov = false) {
  return {{"momentum", momentum},
          {"weight_decay", weight_decay},
          {"nesterov", nesterov}};
}

Value SumParameters(double momentum, double weight_decay, double s) {
  Value parameters = Parameters(momentum, weight_decay);
  parameters["sum"] = s;
  return parameters;
}

// Convolution and linear layer, so that layouts differ.
Model SmallModel() {
  return PlacedModel({LayerOf("conv", "conv", {{"channels", 5}}),
                      LayerOf("flatten", "flatten"),
                      LayerOf("linear", "linear", {{"features", 3}})},
                     {3, 4, 4});
}

// Row-major, whatever the weights' layout.
std::vector<torch::Tensor> GradientsOf(const Network& network, int step) {
  const at::NoGradGuard no_graph;
  std::vector<torch::Tensor> gradients;
  for (const torch::Tensor& parameter : network.parameters()) {
    const torch::Tensor places =
        at::arange(static_cast<double>(parameter.numel()), torch::kFloat32);
    gradients.push_back(
        at::sin(places * 0.7 + step).reshape(parameter.sizes()));
  }
  return gradients;
}

std::vector<torch::Tensor> CopiesOf(const Network& network) {
  std::vector<torch::Tensor> copies;
  for (const torch::Tensor& parameter : network.parameters()) {
    copies.push_back(parameter.detach().clone());
  }
  return copies;
}

double LargestDifference(const Network& network,
                         const std::vector<torch::Tensor>& expected) {
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const torch::Tensor difference =
        at::abs(network.parameters()[i].detach() - expected[i]);
    largest = std::max(largest, difference.max().item<double>());
  }
  return largest;
}

constexpr double kRate = 0.05;
constexpr double kMomentum = 0.9;
constexpr double kDecay = 5e-4;

// What PyTorch's users write: within a rounding of each operation.
class TorchSequenceTest
    : public testing::TestWithParam<std::tuple<double, double, bool, bool>> {};

TEST_P(TorchSequenceTest, StepsAsTorchsOperationsDoToRounding) {
  const auto [momentum, decay, nesterov, channels_last] = GetParam();
  const Model model = SmallModel();
  const auto network = NetworkOf(model, {.channels_last = channels_last});
  const auto optimizer =
      MakeSgd(Parameters(momentum, decay, nesterov), *network);
  std::vector<torch::Tensor> weights = CopiesOf(*network);
  std::vector<torch::Tensor> velocities;
  for (const torch::Tensor& weight : weights) {
    velocities.push_back(at::zeros_like(weight));
  }

  for (int step = 0; step < 5; ++step) {
    const auto gradients = GradientsOf(*network, step);
    optimizer->Step(*network, gradients, kRate);
    for (size_t i = 0; i < weights.size(); ++i) {
      const torch::Tensor g = gradients[i].add(weights[i], decay);
      velocities[i].mul_(momentum).add_(g);
      weights[i].add_(nesterov ? g.add(velocities[i], momentum) : velocities[i],
                      -kRate);
    }
  }

  EXPECT_LT(LargestDifference(*network, weights), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, TorchSequenceTest,
                         testing::Combine(testing::Values(0.0, kMomentum),
                                          testing::Values(0.0, kDecay),
                                          testing::Bool(), testing::Bool()));

TEST(SgdTest, HeavyBallGivesTheBitsOfItsFormula) {
  const Model model = SmallModel();
  const auto network = NetworkOf(model, {.channels_last = true});
  const auto optimizer = MakeSgd(Parameters(kMomentum, kDecay), *network);
  std::vector<torch::Tensor> weights;
  std::vector<torch::Tensor> velocities;
  for (const torch::Tensor& weight : CopiesOf(*network)) {
    weights.push_back(weight.contiguous());
    velocities.push_back(at::zeros_like(weights.back()));
  }

  for (int step = 0; step < 5; ++step) {
    const auto gradients = GradientsOf(*network, step);
    optimizer->Step(*network, gradients, kRate);
    for (size_t t = 0; t < weights.size(); ++t) {
      float* x = weights[t].data_ptr<float>();
      float* v = velocities[t].data_ptr<float>();
      const float* g = gradients[t].data_ptr<float>();
      for (int64_t i = 0; i < weights[t].numel(); ++i) {
        const float product = 0.9f * v[i];
        v[i] = product + std::fma(5e-4f, x[i], g[i]);
        x[i] = std::fma(-0.05f, v[i], x[i]);
      }
    }
  }

  EXPECT_EQ(LargestDifference(*network, weights), 0);
}

TEST(SgdTest, GivesTheSameBitsWhicheverWayTheGradientLies) {
  const Model model = SmallModel();
  const auto rows = NetworkOf(model, {.channels_last = true});
  const auto channels = NetworkOf(model, {.channels_last = true});
  const auto rows_optimizer = MakeSgd(Parameters(kMomentum, kDecay), *rows);
  const auto channels_optimizer =
      MakeSgd(Parameters(kMomentum, kDecay), *channels);

  for (int step = 0; step < 3; ++step) {
    std::vector<torch::Tensor> gradients = GradientsOf(*rows, step);
    rows_optimizer->Step(*rows, gradients, kRate);
    gradients[0] = gradients[0].contiguous(at::MemoryFormat::ChannelsLast);
    channels_optimizer->Step(*channels, gradients, kRate);
  }

  EXPECT_TRUE(torch::equal(rows->flat(), channels->flat()));
}

// Maximal difference of SUM with `s` from the given optimizer after 20 steps.
double SumAgainst(double s, const Value& other, double other_rate) {
  const Model model = SmallModel();
  const auto sum_network = NetworkOf(model);
  const auto network = NetworkOf(model);
  const auto sum = MakeSgd(SumParameters(kMomentum, kDecay, s), *sum_network);
  const auto optimizer = MakeSgd(other, *network);
  for (int step = 0; step < 20; ++step) {
    const auto gradients = GradientsOf(*network, step);
    sum->Step(*sum_network, gradients, kRate);
    optimizer->Step(*network, gradients, other_rate);
  }
  return LargestDifference(*sum_network, CopiesOf(*network));
}

TEST(SgdTest, SumIsHeavyBallNesterovOrPlainAtItsThreeSpecialPoints) {
  EXPECT_LT(SumAgainst(0, Parameters(kMomentum, kDecay), kRate), 1e-5);
  EXPECT_LT(SumAgainst(1, Parameters(kMomentum, kDecay, true), kRate), 1e-5);
  EXPECT_LT(SumAgainst(1 / (1 - kMomentum), Parameters(0, kDecay),
                       kRate / (1 - kMomentum)),
            1e-5);
  // And not anything.
  EXPECT_GT(SumAgainst(0, Parameters(kMomentum, kDecay, true), kRate), 1e-2);
}

TEST(SgdTest, RoundsTheScaledRateOfSumOnce) {
  // float32(3 * 0.03), which is not 3 times float32(0.03).
  const float once = static_cast<float>(3 * 0.03);
  ASSERT_NE(once, 3 * 0.03f);
  const Model model = PlacedModel(
      {LayerOf("linear", "linear", {{"features", 1}, {"bias", false}})}, {1});
  const auto network = NetworkOf(model);
  SetValues(network->parameters()[0], {0.0});
  const auto optimizer = MakeSgd(SumParameters(0.5, 0, 3), *network);

  optimizer->Step(*network, {at::ones({1, 1})}, 0.03);

  // y = -0.03, z = -0.09, z_prev = 0.
  EXPECT_EQ(network->flat()[0].item<float>(), std::fma(0.5f, -once, -0.03f));
}

TEST(SgdTest, TakesAMissingGradientForZero) {
  const Model model = SmallModel();
  const auto network = NetworkOf(model);
  const auto optimizer = MakeSgd(Parameters(0, 0.5), *network);
  const std::vector<torch::Tensor> before = CopiesOf(*network);

  optimizer->Step(*network, std::vector<torch::Tensor>(4), 0.5);

  for (size_t i = 0; i < before.size(); ++i) {
    // x - 0.5 * (0.5 x), exact.
    EXPECT_TRUE(
        torch::equal(network->parameters()[i].detach(), before[i] * 0.75));
  }
}

TEST(SgdTest, KeepsStateOnlyWhereItHasMomentum) {
  const Model model = SmallModel();
  const auto network = NetworkOf(model);
  const auto bytes = static_cast<int64_t>(network->flat().nbytes());

  EXPECT_EQ(MakeSgd(Parameters(0, 0.1), *network)->state_bytes(), 0);
  EXPECT_EQ(MakeSgd(Parameters(0.9, 0), *network)->state_bytes(), bytes);
  EXPECT_EQ(MakeSgd(SumParameters(0.9, 0, 2), *network)->state_bytes(), bytes);
}

TEST(SgdTest, LeavesTheGapsOfTheBufferAtZero) {
  const Model model = SmallModel();
  const auto network = NetworkOf(model);
  const auto optimizer = MakeSgd(SumParameters(0.9, 0.1, 2), *network);

  optimizer->Step(*network, GradientsOf(*network, 0), kRate);

  double inside = 0;
  for (const torch::Tensor& parameter : network->parameters()) {
    inside += parameter.detach().to(torch::kFloat64).abs().sum().item<double>();
  }
  EXPECT_DOUBLE_EQ(
      network->flat().to(torch::kFloat64).abs().sum().item<double>(), inside);
}

}  // namespace
}  // namespace stagecoach

#include "tests/oracle/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/oracle/reference_vectors.h"

namespace stagecoach::oracle {
namespace {

using Kind = Optimizer::Kind;
using nlohmann::json;

float FloatOf(const json& bits) {
  return std::bit_cast<float>(bits.get<uint32_t>());
}

std::vector<float> FloatsOf(const json& bits) {
  std::vector<float> values;
  for (const json& value : bits) values.push_back(FloatOf(value));
  return values;
}

// Torch's own optimisers as torch/optim/sgd.py writes them.
void TorchUpdate(const Optimizer& optimizer, double rate, at::Tensor x,
                 at::Tensor g, at::Tensor v) {
  const double b = optimizer.momentum;
  const double d = optimizer.weight_decay;
  if (d != 0) g = g.add(x, d);
  if (b != 0) {
    v.mul_(b).add_(g);
    g = optimizer.kind == Kind::kNesterov ? g.add(v, b) : v;
  }
  x.add_(g, -rate);
}

// Sizes that fill vectors of 8 and 16 lanes, and that leave tails.
TEST(UpdateTest, HeavyBallAndNesterovAreTorchsOwnArithmeticToTheBit) {
  for (const Optimizer& optimizer :
       {Optimizer{Kind::kHeavyBall, 0.9f}, Optimizer{Kind::kHeavyBall},
        Optimizer{Kind::kHeavyBall, 0.9f, 1, 5e-4f},
        Optimizer{Kind::kNesterov, 0.9f},
        Optimizer{Kind::kNesterov, 0.85f, 1, 1e-3f}}) {
    for (int64_t size = 1; size <= 70; ++size) {
      at::Tensor x = at::randn({size});
      at::Tensor v = at::zeros({size});
      at::Tensor torch_x = x.clone();
      at::Tensor torch_v = v.clone();
      for (int t = 0; t < 4; ++t) {
        const at::Tensor g = at::randn({size});
        const double rate = 0.05 * 0.5 * (1 + std::cos(0.3 * t));
        x = Updated(optimizer, rate, x, g, v);
        TorchUpdate(optimizer, rate, torch_x, g, torch_v);
        ASSERT_TRUE(at::equal(x, torch_x)) << size << " at " << t;
      }
    }
  }
}

TEST(UpdateTest, SumWithExactNumbersIsTheEquationOfThePaper) {
  const Optimizer optimizer{Kind::kSum, 0.5f, 2};
  float state = 1;  // x^(0)

  // y = 1 - 0.25 * 2 = 0.5, z = 1 - 0.5 * 2 = 0, x = y + 0.5 (z - 1) = 0.
  const float x1 = Updated(optimizer, 0.25, 1.0f, 2.0f, state);
  EXPECT_EQ(x1, 0.0f);
  EXPECT_EQ(state, 0.0f);

  // y = -0.25 * 4 = -1, z = -0.5 * 4 = -2, x = y + 0.5 (z - 0) = -2.
  EXPECT_EQ(Updated(optimizer, 0.25, x1, 4.0f, state), -2.0f);
  EXPECT_EQ(state, -2.0f);
}

TEST(UpdateTest, SumSpansHeavyBallNesterovAndPlainDescent) {
  // At a constant rate they agree but for rounding.
  const float b = 0.9f;
  const auto run = [](const Optimizer& optimizer, double rate, float state) {
    float x = 1;
    for (int t = 0; t < 20; ++t) x = Updated(optimizer, rate, x, x, state);
    return x;
  };
  EXPECT_NEAR(run({Kind::kSum, b, 0}, 0.01, 1),
              run({Kind::kHeavyBall, b}, 0.01, 0), 1e-6);
  EXPECT_NEAR(run({Kind::kSum, b, 1}, 0.01, 1),
              run({Kind::kNesterov, b}, 0.01, 0), 1e-6);
  EXPECT_NEAR(run({Kind::kSum, b, 10}, 0.01, 1),
              run({Kind::kHeavyBall}, 0.1, 0), 1e-6);
}

// The reference computes in exact fractions.
TEST(UpdateTest, UpdatesAreThoseOfThePythonReference) {
  for (const json& entry : ReferenceVectors("updates.json")["updates"]) {
    const json& rule = entry["rule"];
    const Optimizer optimizer{rule["kind"] == "sum"        ? Kind::kSum
                              : rule["kind"] == "nesterov" ? Kind::kNesterov
                                                           : Kind::kHeavyBall,
                              rule["momentum"], rule["s"],
                              rule["weight_decay"]};
    std::vector<float> x = FloatsOf(entry["start"]);
    std::vector<float> state(x.size(), 0.0f);
    if (optimizer.kind == Kind::kSum) state = x;
    for (const json& step : entry["steps"]) {
      const std::vector<float> g = FloatsOf(step["gradient"]);
      for (size_t j = 0; j < x.size(); ++j) {
        x[j] = Updated(optimizer, step["rate"], x[j], g[j], state[j]);
      }
      EXPECT_EQ(x, FloatsOf(step["weights"])) << rule;
      EXPECT_EQ(state, FloatsOf(step["state"])) << rule;
    }
  }
}

TEST(UpdateTest, RatesAndFoldsAreThoseOfThePythonReference) {
  const json reference = ReferenceVectors("updates.json");
  for (const json& entry : reference["rates"]) {
    const Rate rate{entry["base"], entry["schedule"] == "cosine",
                    entry["warm_up"]};
    EXPECT_EQ(RateAt(rate, entry["t"], entry["updates"]), entry["rate"])
        << entry;
  }
  for (const json& entry : reference["warm_ups"]) {
    EXPECT_EQ(WarmUpOf(entry["updates"], entry["percentage"]),
              entry["warm_up"]);
  }
  for (const json& entry : reference["folds"]) {
    const float folded = Folded(at::tensor(FloatOf(entry["running"])),
                                at::tensor(FloatOf(entry["statistic"])))
                             .item<float>();
    EXPECT_EQ(folded, FloatOf(entry["folded"]));
  }
}

TEST(UpdateTest, RatesWarmUpThenFallToZero) {
  const Rate cosine{.base = 0.5, .cosine = true, .warm_up = 4};
  EXPECT_EQ(RateAt(cosine, 0, 12), 0.125);
  EXPECT_EQ(RateAt(cosine, 3, 12), 0.5);
  EXPECT_EQ(RateAt(cosine, 4, 12), 0.5);
  EXPECT_NEAR(RateAt(cosine, 8, 12), 0.25, 1e-15);
  EXPECT_NEAR(RateAt(cosine, 12, 12), 0.0, 1e-15);
  EXPECT_EQ(RateAt({.base = 0.1}, 7, 12), 0.1);
  EXPECT_EQ(WarmUpOf(1404, 5), 70);
}

TEST(UpdateTest, FoldingFusesTheStatistic) {
  const at::Tensor running = at::tensor({1.0f, 0.0f});
  const at::Tensor folded = Folded(running, at::tensor({2.0f, 10.0f}));
  EXPECT_EQ(folded[0].item<float>(), std::fma(0.1f, 2.0f, 0.9f));
  EXPECT_EQ(folded[1].item<float>(), 1.0f);
}

}  // namespace
}  // namespace stagecoach::oracle

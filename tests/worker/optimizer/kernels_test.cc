#include "worker/optimizer/kernels.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

// The kernels against the formulas of docs/definitions.md, section 7, taken
// literally, one element and one operation at a time.
namespace stagecoach {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Arrays {
  std::vector<float> x;
  std::vector<float> gradient;
  std::vector<float> state;
};

// Lengths that are no multiple of a vector's, from a place that is not aligned.
Arrays RandomArrays(int64_t n) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Arrays arrays;
  for (int64_t i = 0; i < n; ++i) {
    arrays.x.push_back(normal(random));
    arrays.gradient.push_back(normal(random) * 1e-2f);
    arrays.state.push_back(normal(random) * 1e-1f);
  }
  return arrays;
}

float Decayed(const SgdNumbers& n, float x, float g) {
  return n.decay == 0 ? g : std::fma(n.decay, x, g);
}

void PlainFormula(const SgdNumbers& n, float& x, float g, float&) {
  x = std::fma(-n.rate, Decayed(n, x, g), x);
}

void HeavyBallFormula(const SgdNumbers& n, float& x, float g, float& v) {
  const float product = n.momentum * v;
  v = product + Decayed(n, x, g);
  x = std::fma(-n.rate, v, x);
}

void NesterovFormula(const SgdNumbers& n, float& x, float g, float& v) {
  const float decayed = Decayed(n, x, g);
  const float product = n.momentum * v;
  v = product + decayed;
  const float direction = std::fma(n.momentum, v, decayed);
  x = std::fma(-n.rate, direction, x);
}

void SumFormula(const SgdNumbers& n, float& x, float g, float& z_prev) {
  const float decayed = Decayed(n, x, g);
  const float y = std::fma(-n.rate, decayed, x);
  const float z = std::fma(-n.scaled_rate, decayed, x);
  x = std::fma(n.momentum, z - z_prev, y);
  z_prev = z;
}

void PlainKernel(float* x, const float* g, float*, int64_t n,
                 const SgdNumbers& numbers) {
  PlainStep(x, g, n, numbers);
}

struct Case {
  const char* name;
  void (*kernel)(float*, const float*, float*, int64_t, const SgdNumbers&);
  void (*formula)(const SgdNumbers&, float&, float, float&);
};

class StepTest : public testing::TestWithParam<Case> {};

TEST_P(StepTest, GivesTheBitsOfTheFormulaForEveryLength) {
  for (const float decay : {0.0f, 5e-4f}) {
    const SgdNumbers numbers = {
        .rate = 0.05f, .scaled_rate = 0.1f, .momentum = 0.9f, .decay = decay};
    for (int64_t n = 0; n < 150; ++n) {
      Arrays actual = RandomArrays(n + 1);
      Arrays expected = actual;

      for (int step = 0; step < 3; ++step) {
        GetParam().kernel(actual.x.data() + 1, actual.gradient.data() + 1,
                          actual.state.data() + 1, n, numbers);
        for (int64_t i = 1; i <= n; ++i) {
          GetParam().formula(numbers, expected.x[i], expected.gradient[i],
                             expected.state[i]);
        }
      }

      ASSERT_EQ(actual.x, expected.x) << n << " elements, decay " << decay;
      ASSERT_EQ(actual.state, expected.state) << n << " elements";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, StepTest,
    testing::Values(Case{"Plain", &PlainKernel, &PlainFormula},
                    Case{"HeavyBall", &HeavyBallStep, &HeavyBallFormula},
                    Case{"Nesterov", &NesterovStep, &NesterovFormula},
                    Case{"Sum", &SumStep, &SumFormula}),
    [](const auto& info) { return info.param.name; });

TEST(KernelsTest, FuseTheStepButNotTheVelocity) {
  // 0.9 * 1.3 is rounded before the sum with 1: one unit in the last place
  // above fma(0.9, 1.3, 1).
  const float velocity = 2.17000008f;
  ASSERT_NE(velocity, std::fma(0.9f, 1.3f, 1.0f));
  float x = 1;
  float v = 1.3f;
  const float g = 1;

  HeavyBallStep(&x, &g, &v, 1, {.rate = 0.1f, .momentum = 0.9f});

  EXPECT_EQ(v, velocity);
  EXPECT_EQ(x, static_cast<float>(1.0 - static_cast<double>(0.1f) * velocity));
}

TEST(KernelsTest, LeaveTheSignOfAZeroGradientWithoutDecay) {
  float x = 0;
  float v = -0.0f;
  const float g = -0.0f;

  HeavyBallStep(&x, &g, &v, 1, {.rate = 1, .momentum = 0.5f});

  EXPECT_TRUE(std::signbit(v));
}

TEST(AllBelowTest, FindsOneBadValueAmongGoodOnesWhereverItIs) {
  const float limit = 1e19f;
  const float good = std::nextafter(limit, 0.0f);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> bad = {kInfinity, -kInfinity, nan,
                                  -nan,      limit,      -2 * limit};
  for (int64_t n = 1; n < 70; ++n) {
    std::vector<float> values(static_cast<size_t>(n), good);
    EXPECT_TRUE(AllBelow(values.data(), n, limit));
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = bad[i % bad.size()];
      EXPECT_FALSE(AllBelow(values.data(), n, limit)) << i << " of " << n;
      values[i] = i % 2 == 0 ? -good : std::numeric_limits<float>::denorm_min();
    }
  }
}

TEST(AllBelowTest, HoldsForNoValues) {
  EXPECT_TRUE(AllBelow(nullptr, 0, 1.0f));
}

}  // namespace
}  // namespace stagecoach

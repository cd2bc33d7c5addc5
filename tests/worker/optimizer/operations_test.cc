#include "worker/optimizer/operations.h"

#include "gtest/gtest.h"

// The operations on tensors against the kernels, on this processor, whose
// memory both reach.
namespace stagecoach {
namespace {

torch::Tensor Waves(double frequency) {
  return at::sin(at::arange(100, torch::kFloat32) * frequency);
}

struct Tensors {
  torch::Tensor x = Waves(0.3);
  torch::Tensor state = Waves(0.7);
};

constexpr SgdNumbers kNumbers = {
    .rate = 0.05f, .scaled_rate = 0.1f, .momentum = 0.9f, .decay = 5e-4f};

using Kernel = void (*)(float*, const float*, float*, int64_t,
                        const SgdNumbers&);
using Operations = void (*)(const torch::Tensor&, const torch::Tensor&,
                            const torch::Tensor&, const SgdNumbers&);

struct Case {
  const char* name;
  Kernel kernel;
  Operations operations;
};

class OperationsTest : public testing::TestWithParam<Case> {};

TEST_P(OperationsTest, StepAsTheKernelsDoToRounding) {
  for (const float decay : {0.0f, 5e-4f}) {
    SgdNumbers numbers = kNumbers;
    numbers.decay = decay;
    Tensors kernel;
    Tensors operations;

    for (int step = 0; step < 4; ++step) {
      const torch::Tensor gradient = Waves(1.1 + step);
      GetParam().kernel(kernel.x.data_ptr<float>(), gradient.data_ptr<float>(),
                        kernel.state.data_ptr<float>(), 100, numbers);
      GetParam().operations(operations.x, gradient, operations.state, numbers);
    }

    EXPECT_TRUE(torch::allclose(operations.x, kernel.x, 0, 2e-6));
    EXPECT_TRUE(torch::allclose(operations.state, kernel.state, 0, 2e-6));
    EXPECT_FALSE(torch::allclose(operations.x, Tensors().x, 0, 1e-2));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OperationsTest,
    testing::Values(Case{"Plain",
                         [](float* x, const float* g, float*, int64_t n,
                            const SgdNumbers& numbers) {
                           PlainStep(x, g, n, numbers);
                         },
                         [](const torch::Tensor& x, const torch::Tensor& g,
                            const torch::Tensor&, const SgdNumbers& numbers) {
                           PlainStep(x, g, numbers);
                         }},
                    Case{"HeavyBall", &HeavyBallStep, &HeavyBallStep},
                    Case{"Nesterov", &NesterovStep, &NesterovStep},
                    Case{"Sum", &SumStep, &SumStep}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach

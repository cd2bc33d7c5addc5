#include <torch/csrc/autograd/autograd.h>
#include <torch/types.h>

#include "gtest/gtest.h"

// LibTorch as this project gets it compiles, links, loads and differentiates.
namespace stagecoach {
namespace {

TEST(TorchSmokeTest, DifferentiatesAProduct) {
  const torch::Tensor x = torch::tensor({1.0, 2.0, 3.0});
  const torch::Tensor w = torch::tensor({4.0, 5.0, 6.0}).requires_grad_();

  const torch::Tensor loss = (x * w).sum();
  const auto gradients = torch::autograd::grad({loss}, {w});

  EXPECT_EQ(loss.item<double>(), 32.0);
  EXPECT_TRUE(torch::equal(gradients[0], x));
}

TEST(TorchSmokeTest, RunsAConvolutionOfOneDnn) {
  const torch::Tensor image = torch::ones({1, 1, 3, 3});
  const torch::Tensor kernel = torch::ones({1, 1, 3, 3});

  const torch::Tensor sums = torch::conv2d(image, kernel, {}, 1, 1);

  EXPECT_EQ(sums.sum().item<float>(), 49.0f);
}

}  // namespace
}  // namespace stagecoach

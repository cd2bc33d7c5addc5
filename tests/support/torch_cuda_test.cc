#include <torch/cuda.h>
#include <torch/types.h>

#include "gtest/gtest.h"

#ifdef STAGECOACH_CUDA
#include <ATen/cuda/CUDAContext.h>
#endif

// LibTorch with CUDA compiles, links and loads; it computes where there is a
// device.
namespace stagecoach {
namespace {

TEST(TorchCudaTest, ComputesOnTheDevice) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
  const torch::Tensor image = torch::ones({1, 1, 3, 3}).to(torch::kCUDA);

  const torch::Tensor sums = torch::conv2d(image, image, {}, 1, 1);

  EXPECT_TRUE(sums.is_cuda());
  EXPECT_EQ(sums.sum().item<float>(), 49.0f);
}

#ifdef STAGECOACH_CUDA
TEST(TorchCudaTest, HasTheHeadersOfStreams) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";

  EXPECT_NE(at::cuda::getCurrentDeviceProperties(), nullptr);
}
#endif

}  // namespace
}  // namespace stagecoach

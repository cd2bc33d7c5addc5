#include "worker/optimizer/dense.h"

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(LaidOutAsTest, KeepsAGradientThatLiesAsTheWeight) {
  const torch::Tensor weight = at::zeros({2, 3});
  const torch::Tensor gradient = at::ones({2, 3});

  EXPECT_EQ(LaidOutAs(weight, gradient).data_ptr(), gradient.data_ptr());
}

TEST(LaidOutAsTest, IgnoresStridesThatPlaceNothing) {
  const torch::Tensor weight =
      at::zeros({4, 3, 1, 1}).as_strided({4, 3, 1, 1}, {3, 1, 3, 3});
  const torch::Tensor gradient = at::ones({4, 3, 1, 1});

  EXPECT_EQ(LaidOutAs(weight, gradient).data_ptr(), gradient.data_ptr());
}

TEST(LaidOutAsTest, MovesElementsToWhereTheWeightHasThem) {
  const torch::Tensor weight =
      at::zeros({2, 3, 2, 2}).contiguous(at::MemoryFormat::ChannelsLast);
  const torch::Tensor gradient = at::arange(24.0f).reshape({2, 3, 2, 2});

  const torch::Tensor moved = LaidOutAs(weight, gradient);

  EXPECT_EQ(moved.strides(), weight.strides());
  EXPECT_TRUE(torch::equal(moved, gradient));
}

TEST(LaidOutAsTest, TakesAnUndefinedGradientForZero) {
  const torch::Tensor weight = at::ones({2, 3});

  EXPECT_TRUE(torch::equal(LaidOutAs(weight, {}), at::zeros({2, 3})));
}

}  // namespace
}  // namespace stagecoach

#include "worker/transport/boundary.h"

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(BoundaryTest, DescribesEveryTensor) {
  EXPECT_EQ(BoundaryDigest(
                {{{DataType::kFloat32, {32, 16, 8, 8}, {0, 2, 3, 1}}, true},
                 {{DataType::kInt64, {32}, {0}}, false}}),
            "float32 32x16x8x8 order 0,2,3,1 with gradient; int64 32");
}

TEST(BoundaryTest, DiffersInEverythingThatMatters) {
  const BoundaryTensor tensor{{DataType::kFloat32, {2, 3}, {0, 1}}, true};
  BoundaryTensor other_type = tensor;
  other_type.type.dtype = DataType::kBfloat16;
  BoundaryTensor other_shape = tensor;
  other_shape.type.shape = {3, 2};
  BoundaryTensor other_order = tensor;
  other_order.type.order = {1, 0};
  BoundaryTensor no_gradient = tensor;
  no_gradient.needs_gradient = false;

  const std::string digest = BoundaryDigest({tensor});
  EXPECT_EQ(BoundaryDigest({tensor}), digest);
  EXPECT_NE(BoundaryDigest({other_type}), digest);
  EXPECT_NE(BoundaryDigest({other_shape}), digest);
  EXPECT_NE(BoundaryDigest({other_order}), digest);
  EXPECT_NE(BoundaryDigest({no_gradient}), digest);
  EXPECT_NE(BoundaryDigest({tensor, tensor}), digest);
}

}  // namespace
}  // namespace stagecoach

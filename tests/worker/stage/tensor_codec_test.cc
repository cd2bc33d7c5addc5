#include "worker/stage/tensor_codec.h"

#include <torch/types.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;

const DimensionOrder kChannelsLast = {0, 2, 3, 1};

at::Tensor Images(int64_t channels, at::MemoryFormat format) {
  return at::rand({2, channels, 4, 5}).contiguous(format);
}

TEST(TensorCodecTest, SharesMemoryBothWays) {
  const at::Tensor tensor = at::rand({3, 7});

  const TensorBytes bytes = ToBytes(tensor, {0, 1});
  const at::Tensor back = FromBytes(bytes);

  EXPECT_EQ(static_cast<const void*>(bytes.data.get()), tensor.data_ptr());
  EXPECT_EQ(back.data_ptr(), tensor.data_ptr());
  EXPECT_TRUE(at::equal(back, tensor));
}

TEST(TensorCodecTest, BytesOutliveTheirTensorAndTensorsTheirBytes) {
  at::Tensor back;
  {
    const TensorBytes bytes = ToBytes(at::full({1000}, 7.0f), {0});
    back = FromBytes(bytes);
  }

  EXPECT_TRUE(at::equal(back, at::full({1000}, 7.0f)));
}

TEST(TensorCodecTest, KeepsNoGraph) {
  const at::Tensor leaf = at::ones({3}).requires_grad_();

  const at::Tensor back = FromBytes(ToBytes(leaf * 2, {0}));

  EXPECT_FALSE(back.requires_grad());
}

TEST(TensorCodecTest, ChannelsLastTravelsAsItLies) {
  const at::Tensor images = Images(3, at::MemoryFormat::ChannelsLast);

  const TensorBytes bytes = ToBytes(images, kChannelsLast);
  const at::Tensor back = FromBytes(bytes);

  EXPECT_THAT(bytes.type.shape, ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(bytes.type.order, ElementsAre(0, 2, 3, 1));
  EXPECT_EQ(back.strides(), images.strides());
  EXPECT_TRUE(at::equal(back, images));
}

TEST(TensorCodecTest, AmbiguousShapesGetTheStridesOfTheirOrder) {
  const at::Tensor images = Images(1, at::MemoryFormat::Contiguous);

  const at::Tensor last = FromBytes(ToBytes(images, kChannelsLast));
  const at::Tensor first = FromBytes(ToBytes(images, {0, 1, 2, 3}));

  EXPECT_THAT(last.strides().vec(), ElementsAre(20, 1, 5, 1));
  EXPECT_THAT(first.strides().vec(), ElementsAre(20, 20, 5, 1));
}

TEST(TensorCodecTest, LaysOutOnlyWhatLiesOtherwise) {
  const at::Tensor rows = Images(3, at::MemoryFormat::Contiguous);
  const at::Tensor expanded = at::rand({2, 3, 1, 1}).expand({2, 3, 4, 5});

  EXPECT_EQ(LaidOut(rows, {0, 1, 2, 3}).data_ptr(), rows.data_ptr());
  for (const at::Tensor& tensor : {rows, expanded}) {
    const at::Tensor laid_out = LaidOut(tensor, kChannelsLast);
    EXPECT_TRUE(laid_out.is_contiguous(at::MemoryFormat::ChannelsLast));
    EXPECT_TRUE(at::equal(laid_out, tensor));
  }
}

TEST(TensorCodecTest, CarriesEveryType) {
  for (const DataType type :
       {DataType::kUint8, DataType::kInt64, DataType::kFloat32,
        DataType::kFloat64, DataType::kBfloat16, DataType::kBool}) {
    const at::Tensor tensor = at::ones({4}, ScalarTypeOf(type));
    const TensorBytes bytes = ToBytes(tensor, {0});
    EXPECT_EQ(bytes.type.dtype, type);
    EXPECT_TRUE(at::equal(FromBytes(bytes), tensor));
  }
}

}  // namespace
}  // namespace stagecoach

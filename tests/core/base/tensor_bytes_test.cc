#include "core/base/tensor_bytes.h"

#include <cstdint>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

TEST(TensorBytesTest, KnowsSizeAndNameOfEveryDataType) {
  EXPECT_EQ(SizeOf(DataType::kUint8), 1);
  EXPECT_EQ(SizeOf(DataType::kInt64), 8);
  EXPECT_EQ(SizeOf(DataType::kFloat32), 4);
  EXPECT_EQ(SizeOf(DataType::kFloat64), 8);
  EXPECT_EQ(SizeOf(DataType::kBfloat16), 2);
  EXPECT_EQ(SizeOf(DataType::kBool), 1);
  for (const DataType type :
       {DataType::kUint8, DataType::kInt64, DataType::kFloat32,
        DataType::kFloat64, DataType::kBfloat16, DataType::kBool}) {
    EXPECT_THAT(DataTypeFromName(NameOf(type)), IsOkAndHolds(type));
  }
}

TEST(TensorBytesTest, KnowsNoOtherName) {
  EXPECT_THAT(DataTypeFromName("float16"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "unknown data type 'float16'"));
}

TEST(TensorBytesTest, WritesShapes) {
  EXPECT_EQ(ToString({16, 3, 3, 3}), "16x3x3x3");
  EXPECT_EQ(ToString({0}), "0");
  EXPECT_EQ(ToString(Shape{}), "scalar");
}

TEST(TensorBytesTest, CountsElementsAndBytes) {
  EXPECT_EQ(ElementsOf({2, 3, 5}), 30);
  EXPECT_EQ(ElementsOf({}), 1);
  EXPECT_EQ(ElementsOf({2, 0, 5}), 0);
  EXPECT_EQ((TensorType{DataType::kFloat64, {2, 3}, {0, 1}}.bytes()), 48);
}

TEST(TensorBytesTest, CountsDimensionsFromTheSlowest) {
  EXPECT_THAT(RowMajor(3), ElementsAre(0, 1, 2));
  EXPECT_THAT(RowMajor(0), IsEmpty());
}

TEST(TensorBytesTest, AcceptsDenseTensorsInAnyOrder) {
  EXPECT_THAT(Validate({DataType::kFloat32, {2, 3, 4, 5}, {0, 2, 3, 1}}, 480),
              IsOk());
  EXPECT_THAT(Validate({DataType::kFloat32, {}, {}}, 4), IsOk());
  EXPECT_THAT(Validate({DataType::kFloat32, {0, 3}, {1, 0}}, 0), IsOk());
  EXPECT_THAT(Validate({DataType::kUint8, Shape(16, 1), RowMajor(16)}, 1),
              IsOk());
}

TEST(TensorBytesTest, RefusesMoreDimensionsThan16) {
  EXPECT_THAT(
      Validate({DataType::kUint8, Shape(17, 1), RowMajor(17)}, kNoLimit),
      StatusIs(absl::StatusCode::kInvalidArgument, "rank 17 exceeds 16"));
}

TEST(TensorBytesTest, RefusesAnOrderThatIsNoPermutation) {
  for (const DimensionOrder& order :
       {DimensionOrder{}, {0}, {0, 0}, {1, 2}, {-1, 0}, {0, 1, 2}}) {
    EXPECT_THAT(Validate({DataType::kUint8, {2, 3}, order}, kNoLimit),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("no permutation of 2 dimensions")));
  }
}

TEST(TensorBytesTest, RefusesImpossibleShapes) {
  constexpr int64_t kHalf = int64_t{1} << 31;
  for (const Shape& shape :
       {Shape{-1, 2}, Shape{kHalf, kHalf}, Shape{kNoLimit, 2}}) {
    EXPECT_THAT(Validate({DataType::kFloat32, shape, {0, 1}}, kNoLimit),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("is not possible")));
  }
}

TEST(TensorBytesTest, RefusesMoreBytesThanAllowed) {
  EXPECT_THAT(Validate({DataType::kFloat32, {10}, {0}}, 39),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a tensor of 40 bytes exceeds the limit of 39"));
}

TEST(TensorBytesTest, AllocatesAtMultiplesOf64) {
  for (const int64_t bytes : {0, 1, 63, 64, 65, 1'000'000}) {
    const std::shared_ptr<std::byte> memory = AllocateAligned(bytes);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.get()) % 64, 0u) << bytes;
    for (int64_t i = 0; i < bytes; ++i) memory.get()[i] = std::byte{1};
  }
}

}  // namespace
}  // namespace stagecoach

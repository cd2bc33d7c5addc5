#include "worker/transport/frame_cutter.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/link_maker.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TensorBytes Bytes(int64_t count, int salt = 0) {
  return PatternTensor({DataType::kUint8, {count}, {0}}, salt);
}

Frame FrameOf(std::vector<TensorBytes> tensors) {
  Frame frame;
  frame.tensors = std::move(tensors);
  return frame;
}

std::vector<int64_t> Sizes(const FrameCutter::Chunk& chunk) {
  std::vector<int64_t> sizes;
  for (const FrameCutter::Piece& piece : chunk.pieces) {
    sizes.push_back(piece.size);
  }
  return sizes;
}

TEST(FrameCutterTest, CutsAcrossTensors) {
  const TensorBytes first = Bytes(5);
  const TensorBytes second = Bytes(4);
  FrameCutter cutter(FrameOf({first, second}), /*chunk_bytes=*/3);

  const FrameCutter::Chunk a = cutter.Next();
  const FrameCutter::Chunk b = cutter.Next();
  ASSERT_FALSE(cutter.done());
  const FrameCutter::Chunk c = cutter.Next();

  EXPECT_TRUE(cutter.done());
  EXPECT_THAT(Sizes(a), ElementsAre(3));
  EXPECT_THAT(Sizes(b), ElementsAre(2, 1));
  EXPECT_THAT(Sizes(c), ElementsAre(3));
  EXPECT_EQ(a.offset, 0);
  EXPECT_EQ(b.offset, 3);
  EXPECT_EQ(c.offset, 6);
  EXPECT_EQ(b.pieces[0].data.get(), first.data.get() + 3);
  EXPECT_EQ(b.pieces[1].data.get(), second.data.get());
  EXPECT_EQ(c.pieces[0].data.get(), second.data.get() + 1);
}

TEST(FrameCutterTest, PassesOverEmptyTensors) {
  FrameCutter cutter(FrameOf({Bytes(0), Bytes(2), Bytes(0), Bytes(1)}), 100);

  EXPECT_THAT(Sizes(cutter.Next()), ElementsAre(2, 1));
  EXPECT_TRUE(cutter.done());
}

TEST(FrameCutterTest, MakesOneEmptyChunkOfAnEmptyFrame) {
  FrameCutter cutter(FrameOf({Bytes(0)}), 100);
  ASSERT_FALSE(cutter.done());

  EXPECT_THAT(cutter.Next().pieces, IsEmpty());
  EXPECT_TRUE(cutter.done());
}

TEST(FrameCutterTest, EndsWithAFullChunkWhereItFits) {
  FrameCutter cutter(FrameOf({Bytes(6)}), 3);

  EXPECT_THAT(Sizes(cutter.Next()), ElementsAre(3));
  EXPECT_FALSE(cutter.done());
  EXPECT_THAT(Sizes(cutter.Next()), ElementsAre(3));
  EXPECT_TRUE(cutter.done());
}

TEST(FrameCutterTest, KeepsTheMemoryOfWhatWasCutAlive) {
  TensorBytes tensor = Bytes(6);
  const std::weak_ptr<std::byte> memory = tensor.data;
  std::vector<FrameCutter::Piece> pieces;
  {
    FrameCutter cutter(FrameOf({std::move(tensor)}), 6);
    pieces = cutter.Next().pieces;
  }

  ASSERT_THAT(pieces, SizeIs(1));
  EXPECT_FALSE(memory.expired());
  pieces.clear();
  EXPECT_TRUE(memory.expired());
}

}  // namespace
}  // namespace stagecoach

#include "worker/transport/frame_assembler.h"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/link_maker.h"
#include "tests/support/status_matchers.h"
#include "worker/transport/frame_cutter.h"

namespace stagecoach {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Optional;

// Counts what is taken.
class CountingMemory final : public FrameMemory {
 public:
  std::shared_ptr<std::byte> Allocate(int64_t bytes) override {
    taken += bytes;
    return AllocateAligned(bytes);
  }

  int64_t taken = 0;
};

class FrameAssemblerTest : public testing::Test {
 protected:
  // The header of the frame's first chunk.
  static ChunkHeader First(const Frame& frame, int64_t sequence = 0) {
    Frame bare = frame;
    for (TensorBytes& tensor : bare.tensors) tensor.data = nullptr;
    return {.lane = frame.lane, .sequence = sequence, .frame = bare};
  }

  absl::StatusOr<std::optional<Frame>> Add(const ChunkHeader& header,
                                           absl::string_view bytes) {
    // In two parts, as a message may come.
    const auto* start = reinterpret_cast<const std::byte*>(bytes.data());
    const size_t half = bytes.size() / 2;
    const std::vector<absl::Span<const std::byte>> parts = {
        {start, half}, {start + half, bytes.size() - half}};
    return assembler_.Add(header, parts);
  }

  const LinkSpec spec_ = SampleLinkSpec();
  CountingMemory memory_;
  FrameAssembler assembler_{spec_, Direction::kUpward, Lane::kTraining,
                            memory_};
  // 7 bytes in two tensors.
  const Frame frame_ = [] {
    Frame frame = SampleFrame(5);
    frame.tensors = {PatternTensor({DataType::kUint8, {3}, {0}}),
                     PatternTensor({DataType::kBfloat16, {2, 1}, {1, 0}})};
    return frame;
  }();
};

TEST_F(FrameAssemblerTest, PutsChunksTogetherWhateverTheirSize) {
  for (const int64_t chunk_bytes : {1, 2, 3, 5, 7, 100}) {
    FrameAssembler assembler(spec_, Direction::kUpward, Lane::kTraining,
                             memory_);
    FrameCutter cutter(frame_, chunk_bytes);
    ChunkHeader header = First(frame_);
    ASSERT_THAT(assembler.Begin(header), IsOk());
    std::optional<Frame> whole;
    while (!cutter.done()) {
      ASSERT_THAT(whole, Eq(std::nullopt));
      const FrameCutter::Chunk chunk = cutter.Next();
      header.offset = chunk.offset;
      std::vector<absl::Span<const std::byte>> parts;
      for (const FrameCutter::Piece& piece : chunk.pieces) {
        parts.emplace_back(piece.data.get(), static_cast<size_t>(piece.size));
      }
      SC_ASSERT_OK_AND_ASSIGN(whole, assembler.Add(header, parts));
    }
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(whole->item, ItemId(5));
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(whole->tensors[i].type, frame_.tensors[i].type);
      EXPECT_EQ(std::memcmp(whole->tensors[i].data.get(),
                            frame_.tensors[i].data.get(),
                            static_cast<size_t>(frame_.tensors[i].size())),
                0);
    }
  }
}

TEST_F(FrameAssemblerTest, CountsFrames) {
  Frame empty = frame_;
  empty.tensors.clear();

  for (int64_t sequence = 0; sequence < 3; ++sequence) {
    ASSERT_THAT(assembler_.Begin(First(empty, sequence)), IsOk());
    SC_ASSERT_OK_AND_ASSIGN(const std::optional<Frame> whole,
                            Add(First(empty, sequence), ""));
    EXPECT_TRUE(whole.has_value());
  }
}

TEST_F(FrameAssemblerTest, TakesNoMemoryForWhatTheLinkDoesNotCarry) {
  Frame large = SampleFrame(0);
  large.tensors[0].type.shape = {int64_t{1} << 40};
  Frame overflowing = SampleFrame(0);
  overflowing.tensors[0].type = {
      DataType::kFloat32, {int64_t{1} << 40, int64_t{1} << 40}, {0, 1}};
  Frame stale = SampleFrame(0);
  stale.generation = Generation(2);

  for (const Frame& bad : {large, overflowing, stale}) {
    EXPECT_THAT(assembler_.Begin(First(bad)),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_EQ(memory_.taken, 0);
}

TEST_F(FrameAssemblerTest, RefusesAFrameThatBeginsWithinAnother) {
  ASSERT_THAT(assembler_.Begin(First(frame_)), IsOk());

  EXPECT_THAT(assembler_.Begin(First(frame_, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the rest of frame 0 is due")));
}

TEST_F(FrameAssemblerTest, RefusesAFrameOutOfTurn) {
  EXPECT_THAT(assembler_.Begin(First(frame_, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "frame 1 of the training lane begins where frame 0 is "
                       "due"));
}

TEST_F(FrameAssemblerTest, RefusesBytesOfAFrameThatDidNotBegin) {
  EXPECT_THAT(Add({.sequence = 0}, "abc"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(FrameAssemblerTest, RefusesBytesOutOfPlace) {
  ASSERT_THAT(assembler_.Begin(First(frame_)), IsOk());
  ASSERT_THAT(Add(First(frame_), "abc"), IsOkAndHolds(Eq(std::nullopt)));

  EXPECT_THAT(Add({.offset = 0}, "d"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Add({.offset = 4}, "d"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("byte 4 of frame 0")));
  EXPECT_THAT(Add({.sequence = 1, .offset = 3}, "d"),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(FrameAssemblerTest, RefusesMoreBytesThanTheFrameHas) {
  ASSERT_THAT(assembler_.Begin(First(frame_)), IsOk());

  EXPECT_THAT(Add(First(frame_), "12345678"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a chunk of 8 bytes of frame 0, which lacks 7"));
}

TEST_F(FrameAssemblerTest, RefusesAnEmptyChunkOfAFrameThatLacksBytes) {
  ASSERT_THAT(assembler_.Begin(First(frame_)), IsOk());

  EXPECT_THAT(Add(First(frame_), ""),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace stagecoach

#include "worker/transport/grpc/frame_wire.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/link_maker.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

v1::Frame ChunkHead() {
  v1::Frame head;
  head.mutable_chunk()->set_lane(v1::LANE_EVALUATION);
  head.mutable_chunk()->set_sequence(300);
  head.mutable_chunk()->mutable_header()->set_item(7);
  return head;
}

FrameCutter::Piece Piece(int64_t bytes, int salt = 0) {
  return {PatternTensor({DataType::kUint8, {bytes}, {0}}, salt).data, bytes};
}

std::string Joined(const std::vector<grpc::Slice>& slices) {
  std::string joined;
  for (const grpc::Slice& slice : slices) {
    joined.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return joined;
}

std::string Joined(const grpc::ByteBuffer& bytes) {
  std::vector<grpc::Slice> slices;
  EXPECT_TRUE(bytes.Dump(&slices).ok());
  return Joined(slices);
}

std::string Text(const FrameCutter::Piece& piece) {
  return {reinterpret_cast<const char*>(piece.data.get()),
          static_cast<size_t>(piece.size)};
}

// `bytes` cut into slices of `size` bytes, some of them empty.
grpc::ByteBuffer Sliced(const std::string& bytes, size_t size) {
  std::vector<grpc::Slice> slices;
  for (size_t start = 0; start < bytes.size(); start += size) {
    slices.emplace_back(bytes.substr(start, size));
    slices.emplace_back();
  }
  return {slices.data(), slices.size()};
}

TEST(FrameWireTest, IsTheMessageThatProtocolBuffersWrite) {
  for (const int64_t bytes : {1, 100, 4096, 4097, 100'000}) {
    v1::Frame whole = ChunkHead();
    const FrameCutter::Piece piece = Piece(bytes);
    whole.set_payload(Text(piece));

    EXPECT_EQ(Joined(EncodeFrame(ChunkHead(), {piece})),
              whole.SerializeAsString());
  }
  EXPECT_EQ(Joined(EncodeFrame(ChunkHead(), {})),
            ChunkHead().SerializeAsString());
}

TEST(FrameWireTest, SendsLargePiecesFromTheirOwnMemory) {
  const FrameCutter::Piece piece = Piece(100'000);

  const grpc::ByteBuffer bytes = EncodeFrame(ChunkHead(), {piece, Piece(5)});

  std::vector<grpc::Slice> slices;
  ASSERT_TRUE(bytes.Dump(&slices).ok());
  ASSERT_THAT(slices, SizeIs(3));
  EXPECT_EQ(static_cast<const void*>(slices[1].begin()), piece.data.get());
}

TEST(FrameWireTest, KeepsTheMemoryUntilGrpcLetsGoOfIt) {
  FrameCutter::Piece piece = Piece(100'000);
  const std::weak_ptr<std::byte> memory = piece.data;
  {
    const grpc::ByteBuffer bytes = EncodeFrame(ChunkHead(), {piece});
    piece.data.reset();
    EXPECT_FALSE(memory.expired());
  }

  EXPECT_TRUE(memory.expired());
}

TEST(FrameWireTest, ReadsAFrameHoweverItIsSliced) {
  const FrameCutter::Piece piece = Piece(1000);
  const std::string bytes = Joined(EncodeFrame(ChunkHead(), {piece}));

  for (const size_t size : {1, 2, 3, 7, 64, 5000}) {
    SC_ASSERT_OK_AND_ASSIGN(const WireFrame frame,
                            DecodeFrame(Sliced(bytes, size)));
    EXPECT_EQ(frame.head.SerializeAsString(), ChunkHead().SerializeAsString());
    EXPECT_EQ(Joined(frame.payload), Text(piece));
  }
}

TEST(FrameWireTest, ReadsFieldsInAnyOrder) {
  // Payload first, and a field that does not exist yet.
  v1::Frame payload;
  payload.set_payload("abc");
  const std::string unknown("\xF8\x07\x01", 3);  // field 127, a number

  SC_ASSERT_OK_AND_ASSIGN(
      const WireFrame frame,
      DecodeFrame(Sliced(payload.SerializeAsString() + unknown +
                             ChunkHead().SerializeAsString(),
                         4)));

  EXPECT_EQ(frame.head.chunk().sequence(), 300);
  EXPECT_EQ(Joined(frame.payload), "abc");
  EXPECT_THAT(frame.head.payload(), IsEmpty());
}

TEST(FrameWireTest, ReadsAnEmptyMessage) {
  SC_ASSERT_OK_AND_ASSIGN(const WireFrame frame, DecodeFrame(Sliced("", 1)));

  EXPECT_EQ(frame.head.content_case(), v1::Frame::CONTENT_NOT_SET);
}

TEST(FrameWireTest, RefusesBytesThatAreCutShort) {
  const std::string bytes = Joined(EncodeFrame(ChunkHead(), {Piece(10)}));

  for (size_t size = 1; size < bytes.size(); ++size) {
    const absl::StatusOr<WireFrame> frame =
        DecodeFrame(Sliced(bytes.substr(0, size), 5));
    // Cut between two fields, what is left is a message.
    if (!frame.ok()) continue;
    EXPECT_THAT(frame->payload, IsEmpty()) << size;
  }
  EXPECT_THAT(DecodeFrame(Sliced(bytes.substr(0, bytes.size() - 1), 5)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(FrameWireTest, RefusesGarbage) {
  for (const std::string& garbage :
       {std::string("\xFF"), std::string(100, '\xFF'), std::string(20, '\0'),
        std::string("\x1A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11)}) {
    EXPECT_THAT(DecodeFrame(Sliced(garbage, 3)),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("not a frame of a link")));
  }
}

TEST(FrameWireTest, RefusesMoreThanTheLimits) {
  v1::Frame long_head;
  long_head.mutable_offer()->set_boundary_digest(
      std::string(kMaxHeadBytes, 'x'));
  const std::string large(kMaxWireFrameBytes + 1, 'x');

  EXPECT_THAT(DecodeFrame(Sliced(long_head.SerializeAsString(), 1 << 20)),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(DecodeFrame(Sliced(large, 1 << 20)),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace stagecoach

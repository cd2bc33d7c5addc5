#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "stagecoach/v1/data_plane.pb.h"
#include "worker/transport/frame_cutter.h"

namespace stagecoach {

// v1::Frame on the wire. It is an ordinary message that any Protocol Buffers
// library reads and writes; it is put together by hand so that a payload is
// sent from the tensor's own memory and copied once when it arrives.

// What a frame may have, besides its payload and with it.
inline constexpr int64_t kMaxHeadBytes = 64 << 10;
inline constexpr int64_t kMaxPayloadBytes = 1 << 20;
inline constexpr int64_t kMaxWireFrameBytes = kMaxPayloadBytes + kMaxHeadBytes;

// `head` has no payload; the pieces are, and stay alive until gRPC has let go
// of them.
grpc::ByteBuffer EncodeFrame(const v1::Frame& head,
                             const std::vector<FrameCutter::Piece>& pieces);

struct WireFrame {
  v1::Frame head;                    // without its payload
  std::vector<grpc::Slice> payload;  // in order, as it came
};

// kInvalidArgument: the bytes are no such message, or one beyond the limits.
absl::StatusOr<WireFrame> DecodeFrame(const grpc::ByteBuffer& bytes);

}  // namespace stagecoach

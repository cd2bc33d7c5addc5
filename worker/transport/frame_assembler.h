#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "worker/transport/frame.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/link.h"
#include "worker/transport/link_spec.h"

namespace stagecoach {

// What a chunk says of itself.
struct ChunkHeader {
  Lane lane = Lane::kTraining;
  int64_t sequence = 0;  // of its frame in the lane, from 0
  int64_t offset = 0;    // in the frame's bytes
  // The frame without its bytes, in its first chunk only.
  std::optional<Frame> frame;
};

// Puts the frames of one lane together again, in memory of their own. Whatever
// a chunk says is checked before memory is taken or written.
//
// Thread-confined: its link's thread.
class FrameAssembler {
 public:
  // Both outlive it.
  FrameAssembler(const LinkSpec& spec, Direction direction, Lane lane,
                 FrameMemory& memory)
      : spec_(spec), direction_(direction), lane_(lane), memory_(memory) {}

  // Begins the frame of which `header` is the first chunk; the caller has made
  // sure that there is room for one more. Add() follows.
  //   kInvalidArgument: the peer broke the rules; the link is of no use.
  absl::Status Begin(const ChunkHeader& header);

  // Takes a chunk's bytes, given in parts. Returns the frame when it is whole.
  //   kInvalidArgument: as above.
  absl::StatusOr<std::optional<Frame>> Add(
      const ChunkHeader& header,
      absl::Span<const absl::Span<const std::byte>> parts);

 private:
  absl::Status CheckPlace(const ChunkHeader& header) const;
  void Copy(absl::Span<const std::byte> part);

  const LinkSpec& spec_;
  const Direction direction_;
  const Lane lane_;
  FrameMemory& memory_;
  int64_t next_sequence_ = 0;
  std::optional<Frame> frame_;  // the one that is not whole yet
  int64_t total_bytes_ = 0;
  int64_t received_bytes_ = 0;
  size_t tensor_ = 0;  // the one to write to next
  int64_t offset_in_tensor_ = 0;
};

}  // namespace stagecoach

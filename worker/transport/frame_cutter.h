#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "worker/transport/frame.h"

namespace stagecoach {

// Cuts a frame into chunks for the wire. A frame's bytes are those of its
// tensors one after the other, without gaps; a chunk is a range of them.
//
// Thread-confined: its link's thread.
class FrameCutter {
 public:
  // A part of one tensor's memory, which it keeps alive.
  struct Piece {
    std::shared_ptr<std::byte> data;
    int64_t size;
  };
  struct Chunk {
    int64_t offset;             // in the frame's bytes
    std::vector<Piece> pieces;  // in order; none is empty
  };

  // Chunks hold `chunk_bytes` bytes, the last one what is left; that of an
  // empty frame none.
  FrameCutter(Frame frame, int64_t chunk_bytes);

  const Frame& frame() const { return frame_; }
  bool done() const { return done_; }

  // The next chunk. Not once it is done.
  Chunk Next();

 private:
  const Frame frame_;
  const int64_t chunk_bytes_;
  const int64_t total_bytes_;
  int64_t cut_bytes_ = 0;
  size_t tensor_ = 0;  // the one to cut from next
  int64_t offset_in_tensor_ = 0;
  bool done_ = false;
};

}  // namespace stagecoach

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace stagecoach {

// Where a link puts what it receives. At most the link's items are held at a
// time, plus what their consumers keep.
//
// Thread-safe, and so is the release of what it hands out, which may outlive
// the FrameMemory itself.
class FrameMemory {
 public:
  virtual ~FrameMemory() = default;

  // `bytes` bytes at a multiple of 64, uninitialised. Never null.
  virtual std::shared_ptr<std::byte> Allocate(int64_t bytes) = 0;
};

// Plain memory.
class AlignedFrameMemory final : public FrameMemory {
 public:
  std::shared_ptr<std::byte> Allocate(int64_t bytes) override;
};

}  // namespace stagecoach

#include "worker/transport/frame_memory.h"

#include "core/base/tensor_bytes.h"

namespace stagecoach {

std::shared_ptr<std::byte> AlignedFrameMemory::Allocate(int64_t bytes) {
  return AllocateAligned(bytes);
}

}  // namespace stagecoach

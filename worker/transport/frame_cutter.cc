#include "worker/transport/frame_cutter.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace stagecoach {

FrameCutter::FrameCutter(Frame frame, int64_t chunk_bytes)
    : frame_(std::move(frame)),
      chunk_bytes_(chunk_bytes),
      total_bytes_(frame_.bytes()) {}

FrameCutter::Chunk FrameCutter::Next() {
  SC_CHECK(!done_, "the frame is cut already");
  Chunk chunk = {.offset = cut_bytes_};
  int64_t wanted = std::min(chunk_bytes_, total_bytes_ - cut_bytes_);
  cut_bytes_ += wanted;
  while (wanted > 0) {
    const TensorBytes& tensor = frame_.tensors[tensor_];
    const int64_t size = std::min(wanted, tensor.size() - offset_in_tensor_);
    if (size > 0) {
      std::byte* start = tensor.data.get() + offset_in_tensor_;
      chunk.pieces.push_back(
          {std::shared_ptr<std::byte>(tensor.data, start), size});
    }
    wanted -= size;
    offset_in_tensor_ += size;
    if (offset_in_tensor_ == tensor.size()) {
      ++tensor_;
      offset_in_tensor_ = 0;
    }
  }
  done_ = cut_bytes_ == total_bytes_;
  return chunk;
}

}  // namespace stagecoach

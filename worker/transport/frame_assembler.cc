#include "worker/transport/frame_assembler.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {

absl::Status FrameAssembler::Begin(const ChunkHeader& header) {
  if (frame_.has_value() || header.sequence != next_sequence_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "frame ", header.sequence, " of the ", NameOf(lane_),
        " lane begins where ", frame_.has_value() ? "the rest of " : "",
        "frame ", next_sequence_, " is due"));
  }
  if (!header.frame.has_value() || header.frame->lane != lane_) {
    return absl::InvalidArgumentError("a frame begins without its header");
  }
  SC_RETURN_IF_ERROR(CheckFrame(spec_, direction_, *header.frame));
  frame_ = header.frame;
  for (TensorBytes& tensor : frame_->tensors) {
    tensor.data = memory_.Allocate(tensor.size());
  }
  total_bytes_ = frame_->bytes();
  received_bytes_ = 0;
  tensor_ = 0;
  offset_in_tensor_ = 0;
  return absl::OkStatus();
}

absl::Status FrameAssembler::CheckPlace(const ChunkHeader& header) const {
  if (!frame_.has_value() || header.sequence != next_sequence_ ||
      header.offset != received_bytes_) {
    return absl::InvalidArgumentError(
        absl::StrCat("byte ", header.offset, " of frame ", header.sequence,
                     " of the ", NameOf(lane_), " lane came where byte ",
                     received_bytes_, " of frame ", next_sequence_, " is due"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Frame>> FrameAssembler::Add(
    const ChunkHeader& header,
    absl::Span<const absl::Span<const std::byte>> parts) {
  SC_RETURN_IF_ERROR(CheckPlace(header));
  int64_t bytes = 0;
  for (const auto part : parts) bytes += static_cast<int64_t>(part.size());
  const int64_t missing = total_bytes_ - received_bytes_;
  // An empty chunk would do no harm, but an endless row of them would.
  if (bytes > missing || (bytes == 0 && missing > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a chunk of ", bytes, " bytes of frame ", header.sequence,
                     ", which lacks ", missing));
  }
  for (const auto part : parts) Copy(part);
  received_bytes_ += bytes;
  if (received_bytes_ < total_bytes_) return std::optional<Frame>();
  ++next_sequence_;
  received_bytes_ = 0;
  return std::exchange(frame_, std::nullopt);
}

void FrameAssembler::Copy(absl::Span<const std::byte> part) {
  while (!part.empty()) {
    TensorBytes& tensor = frame_->tensors[tensor_];
    const auto size = std::min(
        part.size(), static_cast<size_t>(tensor.size() - offset_in_tensor_));
    if (size > 0) {
      std::memcpy(tensor.data.get() + offset_in_tensor_, part.data(), size);
    }
    part.remove_prefix(size);
    offset_in_tensor_ += static_cast<int64_t>(size);
    if (offset_in_tensor_ == tensor.size()) {
      ++tensor_;
      offset_in_tensor_ = 0;
    }
  }
}

}  // namespace stagecoach

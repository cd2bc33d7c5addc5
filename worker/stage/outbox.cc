#include "worker/stage/outbox.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace stagecoach {

bool Outbox::empty() const {
  return std::none_of(frames_.begin(), frames_.end(),
                      [](const auto& frame) { return frame.has_value(); });
}

absl::Status Outbox::Send(Frame frame) {
  SC_CHECK(link_ != nullptr, "a stage sends where its pipeline ends");
  SC_CHECK(ready(frame.lane), "a stage sends before the last frame has gone");
  std::optional<Frame>& place = frames_[IndexOf(frame.lane)];
  place = std::move(frame);
  return FlushLane(place);
}

absl::Status Outbox::Flush() {
  for (std::optional<Frame>& frame : frames_) {
    SC_RETURN_IF_ERROR(FlushLane(frame));
  }
  return absl::OkStatus();
}

absl::Status Outbox::FlushLane(std::optional<Frame>& frame) {
  if (!frame.has_value()) return absl::OkStatus();
  // A copy shares the tensors; the link keeps nothing that it refuses.
  const absl::Status sent = link_->Send(*frame);
  if (absl::IsResourceExhausted(sent)) return absl::OkStatus();
  SC_RETURN_IF_ERROR(sent);
  frame.reset();
  return absl::OkStatus();
}

}  // namespace stagecoach

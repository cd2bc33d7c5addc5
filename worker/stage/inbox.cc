#include "worker/stage/inbox.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/transport/link_spec.h"

namespace stagecoach {

absl::StatusOr<std::optional<Frame>> Inbox::Take(Lane lane, ItemId expected) {
  const MutexLock lock(mutex_);
  if (!broken_.ok()) return broken_;
  std::deque<Frame>& frames = frames_[static_cast<size_t>(lane)];
  if (frames.empty()) {
    if (!lost_.ok()) return lost_;
    return std::nullopt;
  }
  if (frames.front().item != expected) {
    broken_ = absl::InternalError(absl::StrCat(
        "expected item ", expected.value(), " in the ", NameOf(lane),
        " lane, but item ", frames.front().item.value(), " came"));
    return broken_;
  }
  std::optional<Frame> frame = std::move(frames.front());
  frames.pop_front();
  return frame;
}

void Inbox::OnFrame(Frame frame) {
  {
    const MutexLock lock(mutex_);
    const auto lane = static_cast<size_t>(frame.lane);
    if (static_cast<int64_t>(frames_[lane].size()) < items_[lane]) {
      frames_[lane].push_back(std::move(frame));
    } else {
      broken_ = absl::InternalError(absl::StrCat(
          "item ", frame.item.value(), " came in the ", NameOf(frame.lane),
          " lane, which has room for ", items_[lane]));
    }
  }
  Wake();
}

void Inbox::OnWritable(Lane /*lane*/) { Wake(); }

void Inbox::OnPeerLost(absl::Status why) {
  {
    const MutexLock lock(mutex_);
    lost_ = absl::UnavailableError(why.message());
  }
  Wake();
}

void Inbox::Wake() const {
  if (waker_) waker_();
}

}  // namespace stagecoach

#include "tests/fakes/recording_receiver.h"

#include <utility>

namespace stagecoach {
namespace {

constexpr absl::Duration kPatience = absl::Seconds(30);

}  // namespace

void RecordingReceiver::Enter() {
  std::function<void()> hook;
  {
    const MutexLock lock(mutex_);
    if (lost_.has_value()) ++after_lost_;
    hook = hook_;
  }
  if (hook) hook();
}

void RecordingReceiver::OnFrame(Frame frame) {
  Enter();
  const MutexLock lock(mutex_);
  frames_.push_back(std::move(frame));
}

void RecordingReceiver::OnWritable(Lane lane) {
  Enter();
  const MutexLock lock(mutex_);
  writable_.push_back(lane);
}

void RecordingReceiver::OnPeerLost(absl::Status why) {
  Enter();
  const MutexLock lock(mutex_);
  lost_ = std::move(why);
}

void RecordingReceiver::SetHook(std::function<void()> hook) {
  const MutexLock lock(mutex_);
  hook_ = std::move(hook);
}

std::vector<Frame> RecordingReceiver::WaitForFrames(size_t count) {
  const MutexLock lock(mutex_);
  const auto enough = [this, count]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return frames_.size() >= count;
  };
  mutex_.AwaitWithTimeout(absl::Condition(&enough), kPatience);
  return frames_;
}

std::vector<ItemId> RecordingReceiver::WaitForItems(size_t count) {
  std::vector<ItemId> items;
  for (const Frame& frame : WaitForFrames(count)) items.push_back(frame.item);
  return items;
}

std::vector<Lane> RecordingReceiver::WaitForWritable(size_t count) {
  const MutexLock lock(mutex_);
  const auto enough = [this, count]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return writable_.size() >= count;
  };
  mutex_.AwaitWithTimeout(absl::Condition(&enough), kPatience);
  return writable_;
}

std::optional<absl::Status> RecordingReceiver::WaitForPeerLost() {
  const MutexLock lock(mutex_);
  const auto lost = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return lost_.has_value();
  };
  mutex_.AwaitWithTimeout(absl::Condition(&lost), kPatience);
  return lost_;
}

std::vector<Frame> RecordingReceiver::frames() const {
  const MutexLock lock(mutex_);
  return frames_;
}

std::vector<Lane> RecordingReceiver::writable() const {
  const MutexLock lock(mutex_);
  return writable_;
}

bool RecordingReceiver::peer_lost() const {
  const MutexLock lock(mutex_);
  return lost_.has_value();
}

int RecordingReceiver::calls_after_peer_lost() const {
  const MutexLock lock(mutex_);
  return after_lost_;
}

}  // namespace stagecoach

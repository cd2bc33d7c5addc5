#include "tests/fakes/fake_link.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace stagecoach {

absl::Status FakeLink::Send(Frame frame) {
  SC_RETURN_IF_ERROR(CheckFrame(spec_, sends_, frame));
  const MutexLock lock(mutex_);
  SC_RETURN_IF_ERROR(broken_);
  if (closed_) return absl::UnavailableError("the link is closed");
  int64_t& under_way = under_way_[static_cast<size_t>(frame.lane)];
  if (under_way >= ItemsOf(spec_, sends_, frame.lane)) {
    return absl::ResourceExhaustedError("the window is full");
  }
  ++under_way;
  traffic_.frames_sent += 1;
  traffic_.bytes_sent += frame.bytes();
  sent_.push_back(std::move(frame));
  return absl::OkStatus();
}

void FakeLink::Consumed(Lane lane) {
  const MutexLock lock(mutex_);
  ++consumed_[static_cast<size_t>(lane)];
}

void FakeLink::Close() {
  const MutexLock lock(mutex_);
  closed_ = true;
}

Link::Traffic FakeLink::traffic() const {
  const MutexLock lock(mutex_);
  return traffic_;
}

void FakeLink::GiveCredit(Lane lane) {
  const MutexLock lock(mutex_);
  int64_t& under_way = under_way_[static_cast<size_t>(lane)];
  SC_CHECK(under_way > 0, "credit for an item that was not sent");
  --under_way;
}

void FakeLink::Break(absl::Status why) {
  const MutexLock lock(mutex_);
  broken_ = std::move(why);
}

std::vector<Frame> FakeLink::TakeSent() {
  const MutexLock lock(mutex_);
  return std::exchange(sent_, {});
}

int64_t FakeLink::consumed(Lane lane) const {
  const MutexLock lock(mutex_);
  return consumed_[static_cast<size_t>(lane)];
}

bool FakeLink::closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

}  // namespace stagecoach

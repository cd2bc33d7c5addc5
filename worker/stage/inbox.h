#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/base/mutex.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Where one end of a link delivers: a queue per lane, no longer than the
// link's room.
//
// Thread-safe.
class Inbox final : public FrameReceiver {
 public:
  // `items`: the room of each lane.
  explicit Inbox(const std::array<int64_t, kNumLanes>& items) : items_(items) {}

  // Called, without a lock held, after anything has changed. Set before the
  // link exists.
  void SetWaker(std::function<void()> waker) { waker_ = std::move(waker); }

  // The item that the stage needs next from this lane, or nothing while it is
  // on its way. The caller then tells the link that it was consumed.
  //   kUnavailable: the item will never come, the peer is gone. What came
  //     before it went is still handed out.
  //   kInternal: another item came, or more than the link has room for.
  absl::StatusOr<std::optional<Frame>> Take(Lane lane, ItemId expected);

  void OnFrame(Frame frame) override;
  void OnWritable(Lane lane) override;
  void OnPeerLost(absl::Status why) override;

 private:
  void Wake() const;

  const std::array<int64_t, kNumLanes> items_;
  std::function<void()> waker_;
  Mutex mutex_;
  std::array<std::deque<Frame>, kNumLanes> frames_ ABSL_GUARDED_BY(mutex_);
  absl::Status lost_ ABSL_GUARDED_BY(mutex_);    // OK: the peer lives
  absl::Status broken_ ABSL_GUARDED_BY(mutex_);  // OK: no contract broken
};

}  // namespace stagecoach

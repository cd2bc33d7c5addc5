#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/base/mutex.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Keeps what a link delivers, for a test to wait for and look at. Waits end
// after half a minute, with what has come by then.
//
// Thread-safe.
class RecordingReceiver final : public FrameReceiver {
 public:
  void OnFrame(Frame frame) override;
  void OnWritable(Lane lane) override;
  void OnPeerLost(absl::Status why) override;

  // Called first thing in every call of the link's, without a lock held.
  void SetHook(std::function<void()> hook);

  // Returns the frames so far, once there are at least `count`.
  std::vector<Frame> WaitForFrames(size_t count);
  std::vector<ItemId> WaitForItems(size_t count);

  // The lanes that became writable, once there are at least `count`.
  std::vector<Lane> WaitForWritable(size_t count);

  // The reason why the peer is lost; empty if it still is not.
  std::optional<absl::Status> WaitForPeerLost();

  std::vector<Frame> frames() const;
  std::vector<Lane> writable() const;
  bool peer_lost() const;

  // None, with a sound link.
  int calls_after_peer_lost() const;

 private:
  void Enter();

  mutable Mutex mutex_;
  std::function<void()> hook_ ABSL_GUARDED_BY(mutex_);
  std::vector<Frame> frames_ ABSL_GUARDED_BY(mutex_);
  std::vector<Lane> writable_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> lost_ ABSL_GUARDED_BY(mutex_);
  int after_lost_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace stagecoach

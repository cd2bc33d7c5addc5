#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "core/base/ids.h"
#include "worker/transport/frame.h"

namespace stagecoach {

// What both ends of a link must agree on before the first frame.
struct LinkSpec {
  JobId job;
  Generation generation;
  StageIndex lower;  // the stage below; the one above is lower + 1

  // A fingerprint of the boundary: number of tensors, and of each one dtype,
  // shape, dimension order and whether it needs a gradient.
  std::string boundary_digest;

  // Items that the receiving end has room for, by lane. A sender never has
  // more on their way than that. In training both directions need
  // m_k - m_{k+1} + 1; less is a deadlock, not a slow-down.
  std::array<int64_t, kNumLanes> upward_items = {1, 2};
  std::array<int64_t, kNumLanes> downward_items = {1, 0};

  // The most bytes that one item may have; a frame above is refused.
  int64_t max_item_bytes = 0;

  friend bool operator==(const LinkSpec&, const LinkSpec&) = default;
};

// Receives what one end of a link delivers. Calls come one at a time from a
// thread of the link's, never from inside a call on the link, and must return
// at once.
class FrameReceiver {
 public:
  virtual ~FrameReceiver() = default;

  // Frames of a lane come whole, once, and in the order of Send(). At most as
  // many as the spec's items are outstanding before Consumed() is called.
  virtual void OnFrame(Frame frame) = 0;

  // Send() on this lane may succeed again after it was refused.
  virtual void OnWritable(Lane lane) = 0;

  // The peer is gone for good, with the reason. At most once, and the last
  // call. Not called after Close() of this end.
  virtual void OnPeerLost(absl::Status why) = 0;
};

// One end of the link between stage k and stage k + 1. The end of the lower
// stage sends activations and receives gradients, the other the reverse.
//
// Thread-safe.
class Link {
 public:
  virtual ~Link() = default;

  // Takes the frame and returns at once.
  //   kResourceExhausted: the lane's items are all under way; the frame was
  //     not taken. OnWritable() follows; send again then.
  //   kUnavailable: the peer is gone for good, or this end was closed.
  //   kInvalidArgument: the frame is larger than the spec allows, or of
  //     another generation.
  virtual absl::Status Send(Frame frame) = 0;

  // The receiver has taken one item of this lane out of the link's room; the
  // peer may send one more.
  virtual void Consumed(Lane lane) = 0;

  // What was sent before is still delivered to a live peer, within a bounded
  // time; then the peer sees kUnavailable. Once this returns, the receiver of
  // this end is not called again. Idempotent; the destructor calls it.
  virtual void Close() = 0;

  // Payload bytes and frames so far, for metrics.
  struct Traffic {
    int64_t bytes_sent = 0;
    int64_t bytes_received = 0;
    int64_t frames_sent = 0;
    int64_t frames_received = 0;
  };
  virtual Traffic traffic() const = 0;
};

}  // namespace stagecoach

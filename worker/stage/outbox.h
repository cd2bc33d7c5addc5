#pragma once

#include <array>
#include <optional>

#include "absl/status/status.h"
#include "worker/transport/link.h"

namespace stagecoach {

// What a stage sends in one direction. One frame per lane may wait here for
// credit; meanwhile the stage makes no move that ends in another one.
//
// Thread-confined: the stage thread.
class Outbox {
 public:
  // Null where the pipeline ends. Outlives the last call.
  void Attach(Link* link) { link_ = link; }

  // Whether Send() may be called.
  bool ready(Lane lane) const { return !frames_[IndexOf(lane)].has_value(); }

  // Nothing waits.
  bool empty() const;

  // Sends the frame, or keeps it while the link has no credit. kUnavailable:
  // the peer is gone.
  absl::Status Send(Frame frame);

  // Sends what waits and finds credit now. kUnavailable: the peer is gone.
  absl::Status Flush();

 private:
  static size_t IndexOf(Lane lane) { return static_cast<size_t>(lane); }
  absl::Status FlushLane(std::optional<Frame>& frame);

  Link* link_ = nullptr;
  std::array<std::optional<Frame>, kNumLanes> frames_;
};

}  // namespace stagecoach

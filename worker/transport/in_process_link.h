#pragma once

#include <memory>

#include "absl/status/status.h"
#include "core/base/executor.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/link.h"

namespace stagecoach {

// What can break as a connection can.
//
// Thread-safe.
class Severable {
 public:
  virtual ~Severable() = default;

  // What is on its way is lost, and both receivers are told `why`.
  virtual void Sever(const absl::Status& why) = 0;
};

// Both ends of a link within one process.
struct InProcessLink {
  std::unique_ptr<Link> lower;  // sends activations
  std::unique_ptr<Link> upper;
  std::weak_ptr<Severable> between;  // lives as long as the ends
};

// Joins the two stages. Frames are handed over without a copy, unless a tensor
// is not aligned to 64 bytes; that one is copied into `memory`. The receivers
// are called by `executor`. Both outlive the ends. `spec` is valid.
InProcessLink MakeInProcessLink(const LinkSpec& spec, FrameReceiver& at_lower,
                                FrameReceiver& at_upper, Executor& executor,
                                FrameMemory& memory);

}  // namespace stagecoach

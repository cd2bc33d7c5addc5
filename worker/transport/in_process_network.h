#pragma once

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "core/base/executor.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/link_network.h"
#include "worker/transport/rendezvous.h"

namespace stagecoach {

// The links of workers that share a process: one worker that runs all stages,
// or a whole cluster in a test. Each worker joins under its address.
//
// Thread-safe.
class InProcessHub {
 public:
  // The executor calls all receivers. Both outlive every link of the hub.
  InProcessHub(Executor& executor, FrameMemory& memory);

  // The network as the worker at `address` sees it; may outlive the hub.
  std::unique_ptr<LinkNetwork> Join(std::string address);

  // As if the worker at `address` had died: its links break with
  // kUnavailable, and what it waits for is given up.
  void Sever(const std::string& address);

 private:
  const std::shared_ptr<Rendezvous> rendezvous_;
};

}  // namespace stagecoach

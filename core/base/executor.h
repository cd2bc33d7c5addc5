#pragma once

#include <functional>

#include "absl/time/time.h"

namespace stagecoach {

// Runs tasks later, on threads of its own: the only source of threads and
// timers but the stage threads and gRPC's.
//
// Thread-safe. Tasks of one executor run one at a time, in the order in which
// they became due; so state touched by its tasks alone needs no lock.
class Executor {
 public:
  virtual ~Executor() = default;

  // Runs `task` soon, never from inside this call.
  virtual void Post(std::function<void()> task) = 0;

  // Runs `task` once `delay` has passed. There is no cancelling: a task that
  // may have become pointless checks that itself.
  virtual void PostAfter(absl::Duration delay, std::function<void()> task) = 0;
};

}  // namespace stagecoach

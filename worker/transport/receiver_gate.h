#pragma once

#include <functional>
#include <thread>

#include "core/base/mutex.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Stands between a link and its receiver, so that the link can promise that
// the receiver is not called after Close().
//
// Thread-safe; Call() and CallLast() come from one thread at a time.
class ReceiverGate {
 public:
  explicit ReceiverGate(FrameReceiver& receiver) : receiver_(receiver) {}

  // Calls unless shut.
  void Call(const std::function<void(FrameReceiver&)>& call);

  // Shuts, and calls unless it was shut before.
  void CallLast(const std::function<void(FrameReceiver&)>& call);

  // Returns when no call runs and none will; but from inside a call, at once.
  void Shut();

 private:
  bool Enter(bool last);
  void Leave();

  FrameReceiver& receiver_;
  Mutex mutex_;
  bool shut_ ABSL_GUARDED_BY(mutex_) = false;
  bool calling_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread::id caller_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

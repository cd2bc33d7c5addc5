#include "worker/transport/receiver_gate.h"

namespace stagecoach {

void ReceiverGate::Call(const std::function<void(FrameReceiver&)>& call) {
  if (!Enter(/*last=*/false)) return;
  call(receiver_);
  Leave();
}

void ReceiverGate::CallLast(const std::function<void(FrameReceiver&)>& call) {
  if (!Enter(/*last=*/true)) return;
  call(receiver_);
  Leave();
}

bool ReceiverGate::Enter(bool last) {
  const MutexLock lock(mutex_);
  if (shut_) return false;
  shut_ = last;
  calling_ = true;
  caller_ = std::this_thread::get_id();
  return true;
}

void ReceiverGate::Leave() {
  const MutexLock lock(mutex_);
  calling_ = false;
}

void ReceiverGate::Shut() {
  const MutexLock lock(mutex_);
  shut_ = true;
  if (caller_ == std::this_thread::get_id()) return;
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !calling_;
  };
  // As long as a receiver takes, which must return at once.
  mutex_.AwaitWithTimeout(absl::Condition(&idle), absl::InfiniteDuration());
}

}  // namespace stagecoach

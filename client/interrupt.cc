#include "client/interrupt.h"

#include <utility>

namespace stagecoach {

// Callbacks run under the lock, so that none runs once its registration is
// gone.
void Interrupt::Trigger() {
  const MutexLock lock(mutex_);
  if (triggered_) return;
  triggered_ = true;
  for (const auto& [key, callback] : callbacks_) callback();
}

bool Interrupt::triggered() const {
  const MutexLock lock(mutex_);
  return triggered_;
}

bool Interrupt::WaitFor(absl::Duration timeout) {
  const MutexLock lock(mutex_);
  return mutex_.AwaitWithTimeout(absl::Condition(&triggered_), timeout);
}

int64_t Interrupt::Add(std::function<void()> callback) {
  const MutexLock lock(mutex_);
  if (triggered_) callback();
  callbacks_.emplace(next_key_, std::move(callback));
  return next_key_++;
}

void Interrupt::Remove(int64_t key) {
  const MutexLock lock(mutex_);
  callbacks_.erase(key);
}

Interrupt::Registration::Registration(Interrupt& interrupt,
                                      std::function<void()> callback)
    : interrupt_(interrupt), key_(interrupt.Add(std::move(callback))) {}

Interrupt::Registration::~Registration() { interrupt_.Remove(key_); }

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "absl/time/time.h"
#include "core/base/mutex.h"

namespace stagecoach {

// The user's wish to stop (Ctrl-C), as an event that is awaited.
//
// Thread-safe.
class Interrupt {
 public:
  // Calls what is registered, once, and ends every wait.
  void Trigger();

  bool triggered() const;

  // Waits until triggered or `timeout` has passed; says whether it was.
  bool WaitFor(absl::Duration timeout);

  // Has `callback` called on Trigger(), or now when that has happened, for as
  // long as this lives. The callback must not touch the interrupt.
  class Registration {
   public:
    Registration(Interrupt& interrupt, std::function<void()> callback);
    ~Registration();
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;

   private:
    Interrupt& interrupt_;
    const int64_t key_;
  };

 private:
  int64_t Add(std::function<void()> callback);
  void Remove(int64_t key);

  mutable Mutex mutex_;
  bool triggered_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t next_key_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, std::function<void()>> callbacks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

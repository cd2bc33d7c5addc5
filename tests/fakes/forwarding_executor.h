#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "core/base/executor.h"

namespace stagecoach {

// One of several executors that share a test's single thread: hands its tasks
// to another one, and drops those that have not run when it is destroyed.
//
// Thread-safe as far as the other executor is; destroyed on its thread.
class ForwardingExecutor final : public Executor {
 public:
  explicit ForwardingExecutor(Executor& target) : target_(target) {}

  void Post(std::function<void()> task) override {
    target_.Post(Guarded(std::move(task)));
  }

  void PostAfter(absl::Duration delay, std::function<void()> task) override {
    target_.PostAfter(delay, Guarded(std::move(task)));
  }

 private:
  std::function<void()> Guarded(std::function<void()> task) const {
    return [alive = std::weak_ptr<const bool>(alive_), task = std::move(task)] {
      if (!alive.expired()) task();
    };
  }

  Executor& target_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace stagecoach

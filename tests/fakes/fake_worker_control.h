#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "coordinator/worker_control.h"
#include "core/base/mutex.h"

namespace stagecoach {

// Keeps what the coordinator said to a session.
//
// Thread-safe.
class FakeWorkerControl final : public WorkerControl {
 public:
  using Numbered = std::pair<int64_t, Order>;

  void Welcome(absl::Duration lease, int64_t last_report) override {
    const MutexLock lock(mutex_);
    welcome_ = {lease, last_report};
  }
  void Send(int64_t serial, const Order& order) override {
    const MutexLock lock(mutex_);
    orders_.emplace_back(serial, order);
  }
  void Acknowledge(int64_t last_report) override {
    const MutexLock lock(mutex_);
    acknowledged_ = last_report;
  }
  void Close(const absl::Status& why) override {
    const MutexLock lock(mutex_);
    closed_ = why;
  }

  bool welcomed() const {
    const MutexLock lock(mutex_);
    return welcome_.has_value();
  }
  // The last report that the coordinator said, in its welcome, to have.
  int64_t welcomed_with() const {
    const MutexLock lock(mutex_);
    return welcome_->second;
  }
  std::vector<Numbered> orders() const {
    const MutexLock lock(mutex_);
    return orders_;
  }
  int64_t acknowledged() const {
    const MutexLock lock(mutex_);
    return acknowledged_;
  }
  // OK while the session is open.
  absl::Status closed() const {
    const MutexLock lock(mutex_);
    return closed_;
  }

 private:
  mutable Mutex mutex_;
  std::optional<std::pair<absl::Duration, int64_t>> welcome_
      ABSL_GUARDED_BY(mutex_);
  std::vector<Numbered> orders_ ABSL_GUARDED_BY(mutex_);
  int64_t acknowledged_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/session/order.h"

namespace stagecoach {

// The coordinator's end of one worker's session. What is said to a session that
// has ended meanwhile is dropped: its outbox keeps the orders.
//
// Thread-safe; nothing blocks or calls the coordinator back.
class WorkerControl {
 public:
  virtual ~WorkerControl() = default;

  // First of all: the worker is a member.
  virtual void Welcome(absl::Duration lease, int64_t last_report) = 0;

  virtual void Send(int64_t serial, const Order& order) = 0;

  // Reports up to this serial are kept for good. Not ordered with Send().
  virtual void Acknowledge(int64_t last_report) = 0;

  // Ends the session; `why` is what the worker is told.
  virtual void Close(const absl::Status& why) = 0;
};

}  // namespace stagecoach

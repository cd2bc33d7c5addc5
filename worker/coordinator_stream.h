#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/session/order.h"
#include "core/session/report.h"

namespace stagecoach {

// One stream to the coordinator, from its opening until it breaks; what is said
// after that is dropped.
//
// Thread-safe; nothing blocks.
class CoordinatorStream {
 public:
  virtual ~CoordinatorStream() = default;

  // First of all.
  virtual void SayHello(const Hello& hello) = 0;

  // The worker is alive, and has the orders up to this one.
  virtual void Renew(int64_t last_order) = 0;

  virtual void Send(int64_t serial, const Report& report) = 0;

  // Ends the stream soon; `ended` follows.
  virtual void Cancel() = 0;
};

// What a stream brings. Called on its threads, one at a time, and never from
// inside a call on it; must return at once.
struct CoordinatorEvents {
  // The hello was accepted. Reports up to `last_report` are kept for good.
  std::function<void(int64_t last_report)> welcomed;
  std::function<void(int64_t last_report)> acknowledged;
  std::function<void(int64_t serial, absl::StatusOr<Order> order)> ordered;
  // The last call, once. kInvalidArgument: the hello breaks a rule; kAborted:
  // another process has this worker's name.
  std::function<void(absl::Status why)> ended;
};

// Opens streams to one coordinator.
//
// Thread-safe.
class CoordinatorDialer {
 public:
  virtual ~CoordinatorDialer() = default;

  virtual std::shared_ptr<CoordinatorStream> Open(CoordinatorEvents events) = 0;

  // "the coordinator at 127.0.0.1:7070", for messages.
  virtual std::string peer() const = 0;
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <deque>
#include <utility>

#include "core/session/order.h"

namespace stagecoach {

// Orders to one incarnation of a worker, numbered, until it has confirmed them.
//
// Thread-confined: Coordinator, under its lock.
class OrderOutbox {
 public:
  using Numbered = std::pair<int64_t, Order>;

  // The incarnation has orders up to `last_order`, from an earlier coordinator
  // or from this one: those are dropped, and numbering goes on above.
  void Confirm(int64_t last_order);

  // The order with its serial.
  const Numbered& Add(Order order);

  // The worker was given up: what it has not received it need not.
  void Clear() { waiting_.clear(); }

  // What was not confirmed yet, in order.
  const std::deque<Numbered>& waiting() const { return waiting_; }

 private:
  int64_t last_ = 0;
  std::deque<Numbered> waiting_;
};

}  // namespace stagecoach

#include "coordinator/order_outbox.h"

#include <algorithm>

namespace stagecoach {

void OrderOutbox::Confirm(int64_t last_order) {
  while (!waiting_.empty() && waiting_.front().first <= last_order) {
    waiting_.pop_front();
  }
  last_ = std::max(last_, last_order);
}

const OrderOutbox::Numbered& OrderOutbox::Add(Order order) {
  waiting_.emplace_back(++last_, std::move(order));
  return waiting_.back();
}

}  // namespace stagecoach

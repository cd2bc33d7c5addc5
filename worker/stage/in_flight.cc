#include "worker/stage/in_flight.h"

#include <algorithm>
#include <utility>

namespace stagecoach {
namespace {

int64_t BytesOf(const torch::Tensor& tensor) {
  return static_cast<int64_t>(tensor.nbytes());
}

}  // namespace

InFlightItem& InFlight::Add(InFlightItem item) {
  bytes_ += BytesOf(item.input);
  peak_bytes_ = std::max(peak_bytes_, bytes_);
  return items_.emplace_back(std::move(item));
}

void InFlight::RemoveOldest() {
  bytes_ -= BytesOf(items_.front().input);
  items_.pop_front();
}

bool InFlight::any_graph() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const InFlightItem& item) { return item.has_graph(); });
}

}  // namespace stagecoach

#pragma once

#include <torch/types.h>

#include <cstdint>
#include <deque>

#include "core/base/ids.h"
#include "worker/model/network.h"
#include "worker/stage/loss.h"

namespace stagecoach {

// An item between its forward and its backward. Its output, loss and
// statistics are there from the pass with a graph on.
struct InFlightItem {
  ItemId item;
  int64_t forward_version = 0;
  torch::Tensor input;
  torch::Tensor targets;  // last stage only
  torch::Tensor output;   // with its graph
  Loss loss;              // last stage only
  BatchStatistics statistics;

  int64_t samples() const { return input.size(0); }
  bool has_graph() const { return output.defined(); }
};

// The inputs that a stage keeps, oldest first: at most its window and one.
//
// Thread-confined: the stage thread.
class InFlight {
 public:
  InFlightItem& Add(InFlightItem item);
  InFlightItem& oldest() { return items_.front(); }
  void RemoveOldest();

  int64_t size() const { return static_cast<int64_t>(items_.size()); }
  bool any_graph() const;

  // The most bytes that the inputs kept at a time had.
  int64_t peak_bytes() const { return peak_bytes_; }

 private:
  std::deque<InFlightItem> items_;
  int64_t bytes_ = 0;
  int64_t peak_bytes_ = 0;
};

}  // namespace stagecoach

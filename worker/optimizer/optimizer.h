#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/named_table.h"
#include "core/job/value.h"
#include "worker/model/network.h"

namespace stagecoach {

// Turns gradients into steps of the live weights, in place and in one pass
// over memory (definitions.md, section 7). Keeps its state in flat tensors
// that lie as the network's flat().
//
// Thread-confined: the stage thread.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // `gradients` go with network.parameters(), in any dense layout; an
  // undefined one counts as zero. `rate` is definitions.md's a_t in float64.
  virtual void Step(Network& network,
                    const std::vector<torch::Tensor>& gradients,
                    double rate) = 0;

  virtual int64_t state_bytes() const = 0;
};

using MakeOptimizer = std::unique_ptr<Optimizer> (*)(const Value& parameters,
                                                     const Network& network);

// By the names of core/optimizer.
const NamedTable<MakeOptimizer>& OptimizerMakers();

}  // namespace stagecoach

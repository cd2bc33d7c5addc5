#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "core/base/ids.h"
#include "core/base/named_table.h"
#include "core/job/value.h"
#include "worker/model/network.h"
#include "worker/optimizer/optimizer.h"

namespace stagecoach {

// Decides which weights an item's passes read, and what its gradient does to
// them. For one item the calls are ForForward, ForBackward, Apply, in this
// order, with those of other items in between.
//
// Thread-confined: the stage thread. Does no I/O.
class UpdateRule {
 public:
  virtual ~UpdateRule() = default;

  // The network whose weights the pass reads, until the next call.
  virtual Network& ForForward(ItemId item) = 0;
  virtual Network& ForBackward(ItemId item) = 0;

  // The weights to evaluate, checkpoint and export.
  virtual Network& Published() = 0;

  // Takes the item's gradients in; `rate` is that of the stage's next update.
  virtual absl::Status Apply(ItemId item,
                             const std::vector<torch::Tensor>& gradients,
                             double rate) = 0;
};

// `network` is the live one, `parameters` are the method's, resolved.
using MakeUpdateRule = std::unique_ptr<UpdateRule> (*)(
    const Value& parameters, std::unique_ptr<Network> network,
    std::unique_ptr<Optimizer> optimizer);

// By the names of core/method.
const NamedTable<MakeUpdateRule>& UpdateRules();

}  // namespace stagecoach

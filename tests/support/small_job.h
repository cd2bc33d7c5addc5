#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/resolve/resolved_job.h"

namespace stagecoach {

// Jobs that take a moment: 3 x 8 x 8 images of four classes, 44 to train on in
// batches of 8 (the last of 4), 20 to test on; two epochs, that is 12 items,
// evaluated after each.
struct SmallJob {
  Choice model;
  std::vector<int64_t> cuts;
  std::vector<int64_t> staleness;  // empty: bp
  double learning_rate = 0.05;
  double weight_decay = 0;
  uint64_t seed = 1;
};

SmallJob SmallMlp(std::vector<int64_t> cuts,
                  std::vector<int64_t> staleness = {});  // 4 units
SmallJob SmallResNet(std::vector<int64_t> cuts,
                     std::vector<int64_t> staleness = {});  // 5 units

DataFacts SmallFacts();

// Ends the process when the job is not valid.
std::shared_ptr<const ResolvedJob> Resolved(const SmallJob& job);

}  // namespace stagecoach

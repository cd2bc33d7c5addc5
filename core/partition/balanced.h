#pragma once

#include "core/partition/partition.h"

namespace stagecoach {

// The smallest bottleneck: minimises the largest StageCost over all ways to
// cut, by dynamic programming; of equally good ones the earliest cuts
// (`balanced`).
Partitioner BalancedPartitioner();

}  // namespace stagecoach

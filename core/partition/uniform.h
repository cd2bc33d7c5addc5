#pragma once

#include "core/partition/partition.h"

namespace stagecoach {

// Stages of equal numbers of units, the later ones longer by one where they do
// not divide (`uniform`).
Partitioner UniformPartitioner();

}  // namespace stagecoach

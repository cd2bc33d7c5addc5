#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/method/method.h"
#include "core/model/model.h"

namespace stagecoach {

// The first unit of stages 1, 2, ...: ascending, within 1 .. units - 1.
using Cuts = std::vector<int64_t>;

// Units [begin, end) of one stage.
struct UnitRange {
  int64_t begin = 0;
  int64_t end = 0;
};

UnitRange UnitsOfStage(const Cuts& cuts, int64_t units, int stage);

// Relative time that a stage of these units spends on one sample under the
// method's true passes, a recomputation included.
double StageCost(absl::Span<const PlacedLayer> units, const StageMethod& stage);
// The same of units that cost this much together, summed in their order.
double StageCost(const LayerCost& cost, const StageMethod& stage);

// A way to choose the cuts. Pure. There are at least as many units as stages.
struct Partitioner {
  Declaration declaration;
  Cuts (*cut)(const Model& model, const std::vector<StageMethod>& stages);
};

// `uniform`: equal numbers of units. `balanced`: the smallest bottleneck by
// StageCost, by dynamic programming; of equal ones the earliest cuts.
const NamedTable<Partitioner>& Partitioners();

// FieldError under "cuts" when hand-given cuts are not ascending, out of range
// or not one less than the stages.
absl::Status CheckCuts(const Cuts& cuts, int64_t units, int64_t stages);

}  // namespace stagecoach

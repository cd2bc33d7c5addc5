#include "core/partition/partition.h"

namespace stagecoach {
namespace {

// One thread of a CPU convolves at about 30 GFLOP/s and streams about 5 GB/s
// through the layers between: a byte costs as much time as six operations.
// Results depend on cuts, so this is a constant and not a measurement.
constexpr double kFlopsPerByte = 6;

// A backward pass reads and writes what the forward pass did, and as much
// again in gradients.
constexpr double kBackwardTraffic = 2;

}  // namespace

double StageCost(absl::Span<const PlacedLayer> units,
                 const StageMethod& stage) {
  LayerCost cost;
  for (const PlacedLayer& unit : units) cost += unit.cost;
  return StageCost(cost, stage);
}

double StageCost(const LayerCost& cost, const StageMethod& stage) {
  const double traffic = kFlopsPerByte * cost.memory_bytes;
  const double forward = cost.forward_flops + traffic;
  const double backward = cost.backward_flops + kBackwardTraffic * traffic;
  return forward + (stage.recompute ? forward : 0) + backward;
}

}  // namespace stagecoach

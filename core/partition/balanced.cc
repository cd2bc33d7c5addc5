#include "core/partition/balanced.h"

#include <algorithm>
#include <limits>

namespace stagecoach {
namespace {

// Bottlenecks of the best ways to run the units from `begin` on with the stages
// from k on: best[k][begin]. Infinite where there are too few units.
class Bottlenecks {
 public:
  Bottlenecks(const Model& model, const std::vector<StageMethod>& stages)
      : units_(model.units),
        stages_(stages),
        best_(stages.size(),
              std::vector<double>(model.units.size() + 1, kImpossible)) {
    for (size_t k = stages.size(); k-- > 0;) {
      for (size_t begin = 0; begin < units_.size(); ++begin) {
        best_[k][begin] = BestFrom(k, begin);
      }
    }
  }

  double Best() const { return best_[0][0]; }

  // The bottleneck where stage k runs [begin, end) and the rest does its best.
  double With(size_t k, size_t begin, size_t end) const {
    const double here =
        StageCost(units_.subspan(begin, end - begin), stages_[k]);
    return std::max(here, best_[k + 1][end]);
  }

 private:
  static constexpr double kImpossible = std::numeric_limits<double>::infinity();

  double BestFrom(size_t k, size_t begin) const {
    if (k + 1 == stages_.size()) {
      return StageCost(units_.subspan(begin), stages_[k]);
    }
    double best = kImpossible;
    // Summed up on the way: models may have a thousand units, and whoever
    // plans a job holds up others.
    LayerCost here;
    for (size_t end = begin + 1; end < units_.size(); ++end) {
      here += units_[end - 1].cost;
      best = std::min(best,
                      std::max(StageCost(here, stages_[k]), best_[k + 1][end]));
    }
    return best;
  }

  const absl::Span<const PlacedLayer> units_;
  const std::vector<StageMethod>& stages_;
  std::vector<std::vector<double>> best_;
};

Cuts Cut(const Model& model, const std::vector<StageMethod>& stages) {
  const Bottlenecks bottlenecks(model, stages);
  Cuts cuts;
  size_t begin = 0;
  for (size_t k = 0; k + 1 < stages.size(); ++k) {
    size_t end = begin + 1;
    while (bottlenecks.With(k, begin, end) > bottlenecks.Best()) ++end;
    cuts.push_back(static_cast<int64_t>(end));
    begin = end;
  }
  return cuts;
}

}  // namespace

Partitioner BalancedPartitioner() {
  return {.declaration = {.name = "balanced",
                          .help = "The smallest predicted time per item",
                          .parameters = {}},
          .cut = Cut};
}

}  // namespace stagecoach

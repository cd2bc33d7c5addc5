#include "core/resolve/resolved_job.h"

#include "core/data/order.h"

namespace stagecoach {

absl::Span<const PlacedLayer> ResolvedJob::UnitsOf(int stage) const {
  const UnitRange range =
      UnitsOfStage(cuts, static_cast<int64_t>(model.units.size()), stage);
  return absl::MakeConstSpan(model.units)
      .subspan(static_cast<size_t>(range.begin),
               static_cast<size_t>(range.end - range.begin));
}

int64_t ResolvedJob::evaluation_items() const {
  return BatchesPerEpoch(facts.test_samples, spec.data.batch_size);
}

bool ResolvedJob::EvaluatesAt(int64_t version) const {
  if (evaluate_every == 0 || version == 0) return false;
  return version % evaluate_every == 0 || version == steps;
}

}  // namespace stagecoach

#include "worker/stage/boundary.h"

#include "core/data/order.h"
#include "worker/transport/boundary.h"

namespace stagecoach {

TensorType BatchType(const ResolvedJob& job, const Shape& sample,
                     int64_t samples) {
  Shape shape = {samples};
  shape.insert(shape.end(), sample.begin(), sample.end());
  const bool images = shape.size() == 4;
  const DimensionOrder order = job.channels_last && images
                                   ? DimensionOrder{0, 2, 3, 1}
                                   : RowMajor(shape.size());
  return {.dtype = DataType::kFloat32, .shape = shape, .order = order};
}

TensorType BoundaryType(const ResolvedJob& job, StageIndex lower,
                        int64_t samples) {
  return BatchType(job, job.UnitsOf(lower.value()).back().output, samples);
}

int64_t SamplesOf(const ResolvedJob& job, Lane lane, ItemId item) {
  const int64_t samples = lane == Lane::kTraining ? job.facts.train_samples
                                                  : job.facts.test_samples;
  return BatchOf(item.value(), samples, job.spec.data.batch_size).size();
}

LinkSpec LinkSpecOf(const ResolvedJob& job, const JobId& id,
                    Generation generation, StageIndex lower) {
  const int64_t batch = job.spec.data.batch_size;
  const BoundaryTensor activations = {.type = BoundaryType(job, lower, batch),
                                      .needs_gradient = true};
  const BoundaryTensor targets = {.type = {.dtype = DataType::kInt64,
                                           .shape = {batch},
                                           .order = RowMajor(1)}};
  const int64_t items = LinkItems(job.stages, lower.value());
  return {.job = id,
          .generation = generation,
          .lower = lower,
          .boundary_digest = BoundaryDigest({activations, targets}),
          .upward_items = {items, kEvaluationItems},
          .downward_items = {items, 0},
          .max_item_bytes = activations.type.bytes() + targets.type.bytes()};
}

}  // namespace stagecoach

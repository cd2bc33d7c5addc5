#include <algorithm>

#include "core/optimizer/optimizer.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {
namespace {

// More than any machine has, and little enough for sums over all stages.
constexpr int64_t kMostBytes = int64_t{1} << 54;

int64_t Times(int64_t count, int64_t bytes) {
  int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(count, bytes, &product);
  return overflows ? kMostBytes : std::min(product, kMostBytes);
}

int64_t Elements(absl::Span<const PlacedLayer> units, bool buffers) {
  int64_t elements = 0;
  for (const NamedTensor& tensor : TensorsOf(units)) {
    if (tensor.is_buffer == buffers) elements += tensor.tensor->elements();
  }
  return elements;
}

// One item of this shape, with a target for each of its samples.
int64_t ItemBytes(const ResolvedJob& job, const Shape& shape) {
  const int64_t sample =
      ElementsOf(shape) * SizeOf(DataType::kFloat32) + SizeOf(DataType::kInt64);
  return Times(job.spec.data.batch_size, sample);
}

// What the stage receives: activations from below, gradients from above.
int64_t LinkBytes(const ResolvedJob& job, int stage) {
  const absl::Span<const PlacedLayer> units = job.UnitsOf(stage);
  int64_t bytes = 0;
  if (stage > 0) {
    bytes += Times(LinkItems(job.stages, stage - 1) + kEvaluationItems,
                   ItemBytes(job, units.front().input));
  }
  if (stage + 1 < job.num_stages()) {
    bytes += Times(LinkItems(job.stages, stage),
                   ItemBytes(job, units.back().output));
  }
  return bytes;
}

}  // namespace

StageMemory MemoryOf(const ResolvedJob& job, int stage) {
  const absl::Span<const PlacedLayer> units = job.UnitsOf(stage);
  const int64_t weight_bytes =
      Elements(units, /*buffers=*/false) * SizeOf(DataType::kFloat32);
  const Choice& optimizer = job.spec.optimizer;
  const int64_t state = (*Optimizers().Find(optimizer.name))
                            ->StatePerElement(optimizer.parameters);
  const int64_t kept = job.stages[static_cast<size_t>(stage)].window + 1;
  return {
      .weights = 2 * weight_bytes,  // and their gradients
      .optimizer = state * weight_bytes,
      .inputs = Times(kept, ItemBytes(job, units.front().input)),
      .buffers = Elements(units, /*buffers=*/true) * SizeOf(DataType::kFloat32),
      .links = LinkBytes(job, stage)};
}

}  // namespace stagecoach

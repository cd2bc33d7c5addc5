#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "core/model/model.h"

namespace stagecoach {

// FieldError "data.batch_size" when some batch of an epoch, the smaller last
// one included, leaves a batch normalisation one value per channel: its
// variance would be that of a single number. Names the layer, the batch and a
// batch size that works.
absl::Status CheckBatchNorm(absl::Span<const PlacedLayer> units,
                            int64_t train_samples, int64_t batch_size);

}  // namespace stagecoach

#pragma once

#include <cstdint>

#include "core/base/ids.h"
#include "core/base/tensor_bytes.h"
#include "core/resolve/resolved_job.h"
#include "worker/transport/frame.h"
#include "worker/transport/link.h"

namespace stagecoach {

// How images and activations of this shape of one sample lie in a batch:
// channels last where the job says so and there are channels with places.
TensorType BatchType(const ResolvedJob& job, const Shape& sample,
                     int64_t samples);

// The activations between stage `lower` and the one above it.
TensorType BoundaryType(const ResolvedJob& job, StageIndex lower,
                        int64_t samples);

// How many samples the item has: the last batch of an epoch or evaluation may
// be smaller.
int64_t SamplesOf(const ResolvedJob& job, Lane lane, ItemId item);

// The link between stage `lower` and the one above it. Pure: both ends derive
// the same.
LinkSpec LinkSpecOf(const ResolvedJob& job, const JobId& id,
                    Generation generation, StageIndex lower);

}  // namespace stagecoach

#pragma once

#include <cstdint>

#include "absl/types/span.h"
#include "core/model/model.h"

namespace stagecoach {

// The tensor's initial values in row-major order, as docs/definitions.md,
// section 2 says. `values` has tensor.elements() places.
void FillInitial(const PlacedTensor& tensor, uint64_t seed,
                 absl::Span<float> values);
void FillInitial(const PlacedTensor& tensor, uint64_t seed,
                 absl::Span<double> values);

}  // namespace stagecoach

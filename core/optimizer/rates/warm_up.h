#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/job/declaration.h"
#include "core/optimizer/learning_rate.h"

namespace stagecoach {

// The parameter `warm_up` that schedules share: updates at the start during
// which the rate rises linearly to its base.
Parameter WarmUpParameter();

// Its length in updates. FieldError unless it leaves at least one update at
// the full rate.
absl::StatusOr<int64_t> WarmUpSteps(const Value& parameters,
                                    const RateFacts& facts);

// The rate of update `applied` < `warm_up`.
double WarmUpRate(double base, int64_t applied, int64_t warm_up);

}  // namespace stagecoach

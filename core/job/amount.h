#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/job/value.h"

namespace stagecoach {

// A length of training as users write it: "5%" of the job, "2 epochs",
// "100 steps", or the bare number of steps. Immutable.
struct Amount {
  enum class Unit { kSteps, kEpochs, kPercent };
  double number = 0;
  Unit unit = Unit::kSteps;

  friend bool operator==(const Amount&, const Amount&) = default;
};

// kInvalidArgument with examples when `value` is no amount. Steps and epochs
// are whole and not negative; percentages are within 0 to 100.
absl::StatusOr<Amount> ParseAmount(const Value& value);

// As a user would write it: "5%", "1 epoch", "100 steps".
std::string ToString(const Amount& amount);

// In steps: floor(steps x number / 100) for a percentage.
int64_t StepsOf(const Amount& amount, int64_t steps_per_epoch, int64_t steps);

}  // namespace stagecoach

#include "core/optimizer/rates/warm_up.h"

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/job/amount.h"

namespace stagecoach {

Parameter WarmUpParameter() {
  return {.name = "warm_up",
          .kind = ParameterKind::kAmount,
          .default_value = "0%",
          .help = "Start of the job during which the rate rises to its base"};
}

absl::StatusOr<int64_t> WarmUpSteps(const Value& parameters,
                                    const RateFacts& facts) {
  const std::string written = TextOf(parameters, "warm_up");
  SC_ASSIGN_OR_RETURN(const Amount amount, ParseAmount(written));
  const int64_t steps = StepsOf(amount, facts.steps_per_epoch, facts.steps);
  if (steps < facts.steps) return steps;
  return FieldError(
      "warm_up",
      absl::StrCat(written, " is ", steps, " of the job's ", facts.steps,
                   " steps and leaves none at the full rate; e.g. 5%"));
}

double WarmUpRate(double base, int64_t applied, int64_t warm_up) {
  return base * static_cast<double>(applied + 1) / static_cast<double>(warm_up);
}

}  // namespace stagecoach

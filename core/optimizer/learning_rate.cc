#include "core/optimizer/learning_rate.h"

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/suggest.h"
#include "core/optimizer/rates/constant.h"
#include "core/optimizer/rates/cosine.h"

namespace stagecoach {

const NamedTable<LearningRateType>& LearningRates() {
  static const auto& table = *new NamedTable<LearningRateType>{
      {"constant", ConstantRate()},
      {"cosine", CosineRate()},
  };
  return table;
}

absl::StatusOr<std::unique_ptr<const LearningRate>> MakeLearningRate(
    const JobSpec::LearningRate& spec, int64_t steps_per_epoch, int64_t steps) {
  const LearningRateType* type = LearningRates().Find(spec.schedule.name);
  if (type == nullptr) {
    return FieldError(
        "schedule",
        absl::StrCat("no schedule is called '", spec.schedule.name, "'",
                     Suggestion(spec.schedule.name, LearningRates().Names())));
  }
  auto rate = type->make(
      spec.schedule.parameters,
      {.base = spec.base, .steps_per_epoch = steps_per_epoch, .steps = steps});
  if (rate.ok()) return rate;
  return UnderField(absl::StrCat("schedule.", spec.schedule.name),
                    rate.status());
}

}  // namespace stagecoach

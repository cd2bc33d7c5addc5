#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// The rate of each update (docs/definitions.md, section 7). Immutable.
class LearningRate {
 public:
  virtual ~LearningRate() = default;

  // For the update that follows `applied` others at the stage.
  virtual double At(int64_t applied) const = 0;
};

// The declarations of all schedules.
const NamedTable<Declaration>& LearningRates();

// `spec` is resolved. FieldError where a length does not fit the job.
absl::StatusOr<std::unique_ptr<const LearningRate>> MakeLearningRate(
    const JobSpec::LearningRate& spec, int64_t steps_per_epoch, int64_t steps);

}  // namespace stagecoach

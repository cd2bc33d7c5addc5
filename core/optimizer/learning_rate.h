#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// The rate of each update (docs/definitions.md, section 7).
//
// Immutable, hence thread-safe.
class LearningRate {
 public:
  virtual ~LearningRate() = default;

  // For the update that follows `applied` others at the stage; `applied` is
  // below the job's number of updates.
  virtual double At(int64_t applied) const = 0;
};

// What a schedule knows of its job.
struct RateFacts {
  double base = 0;
  int64_t steps_per_epoch = 0;
  int64_t steps = 0;  // updates of the whole job
};

struct LearningRateType {
  Declaration declaration;
  // `parameters` are resolved. FieldError under a parameter's name where a
  // length does not fit the job.
  absl::StatusOr<std::unique_ptr<const LearningRate>> (*make)(
      const Value& parameters, const RateFacts& facts);
};

const NamedTable<LearningRateType>& LearningRates();

// `spec` is resolved. FieldError as in LearningRateType::make, with the path
// from the learning rate on: "schedule.cosine.warm_up".
absl::StatusOr<std::unique_ptr<const LearningRate>> MakeLearningRate(
    const JobSpec::LearningRate& spec, int64_t steps_per_epoch, int64_t steps);

}  // namespace stagecoach

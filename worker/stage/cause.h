#pragma once

#include "absl/status/status.h"
#include "core/base/ids.h"
#include "core/job/job_status.h"

namespace stagecoach {

// What users are told when a stage cannot go on with this error of Step() or
// Create(), at this version: the item that it was about to apply.
Cause CauseOf(const absl::Status& error, StageIndex stage, int64_t version);

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <optional>

#include "core/job/job_status.h"

namespace stagecoach {

// A job starts again this often, from step 0, before it fails.
inline constexpr int64_t kMaxRecoveries = 3;

// Whether the cause lies in the machines, so that another try makes sense. A
// cause in the job itself would be met again.
bool WorthAnotherTry(const Cause& cause);

// What a job does about `cause` after so many recoveries: nothing to return
// when it starts again; else the cause for which it fails.
std::optional<Cause> FinalCause(const Cause& cause, int64_t recoveries);

}  // namespace stagecoach

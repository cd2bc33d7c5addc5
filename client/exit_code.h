#pragma once

#include "absl/status/status.h"
#include "core/job/job_status.h"

namespace stagecoach {

// What the shell is told; part of the product's interface.
inline constexpr int kExitDone = 0;
inline constexpr int kExitJobFailed = 1;  // or was cancelled
inline constexpr int kExitUsage = 2;      // command line or job file
inline constexpr int kExitUnreachable = 3;
inline constexpr int kExitNotPermitted = 4;
inline constexpr int kExitNoSuchJob = 5;
inline constexpr int kExitInterrupted = 130;

int ExitCodeOf(const absl::Status& error);
int ExitCodeOf(JobState state);  // of a job that has ended

}  // namespace stagecoach

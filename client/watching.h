#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "client/command.h"
#include "client/job_view.h"

namespace stagecoach {

// The view that suits the console: redrawn on a terminal, lines elsewhere.
std::unique_ptr<JobView> MakeView(std::ostream& out,
                                  const Environment& environment);

// Follows the job and returns its exit code; 130 with a word that the job goes
// on when the user interrupts.
absl::StatusOr<int> WatchJob(JobClient& client, const JobId& job, bool json,
                             Environment& environment);

}  // namespace stagecoach

#pragma once

#include "absl/status/statusor.h"
#include "client/interrupt.h"
#include "client/job_client.h"
#include "client/job_view.h"

namespace stagecoach {

// Watches the job until it has ended and returns its last status. A lost
// connection is opened again, without repeating events, for as long as a
// coordinator comes back within half a minute (else kUnavailable).
// kCancelled: interrupted.
absl::StatusOr<JobStatus> Follow(JobClient& client, const JobId& job,
                                 JobView& view, Interrupt& interrupt);

}  // namespace stagecoach

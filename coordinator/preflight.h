#pragma once

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/job/job_spec.h"
#include "core/job/job_status.h"
#include "core/resolve/resolved_job.h"
#include "core/session/report.h"

namespace stagecoach {

// Whether workers can run a job, as far as their hellos tell. `workers` are by
// stage. Nothing when they can, else the cause for which the job fails:
// "invalid" or "memory", with the worker, what it lacks and what would help.

// Before the data is known: names, device, build.
std::optional<Cause> CheckNames(const JobSpec& spec,
                                absl::Span<const Hello* const> workers);

// With the whole job: its layers, and the memory of all stages of a worker.
std::optional<Cause> CheckStages(const ResolvedJob& job,
                                 absl::Span<const Hello* const> workers);

}  // namespace stagecoach

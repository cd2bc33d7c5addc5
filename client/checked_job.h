#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/job/job_spec.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {

// What can be said about a job without a cluster.
struct CheckedJob {
  JobSpec spec;                         // all defaults filled in
  std::optional<ResolvedJob> resolved;  // where the data could be read
  std::string data_path;
  std::vector<std::string> not_checked;  // one line each
};

// Checks all that can be refused here. Reads the data where its path exists,
// relative paths from the current folder. The first error, about a field or a
// file of the data.
absl::StatusOr<CheckedJob> CheckJob(const JobSpec& spec);

// The summary for people, and as JSON.
std::vector<std::string> CheckLines(const CheckedJob& job);
Value CheckValue(const CheckedJob& job);

}  // namespace stagecoach

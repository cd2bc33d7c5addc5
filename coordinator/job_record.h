#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/job/job_spec.h"
#include "core/job/job_status.h"
#include "core/session/plan.h"

namespace stagecoach {

struct FinishedStage {
  StageIndex stage;
  std::vector<std::string> digest_lines;  // with newlines; definitions.md, 10

  friend bool operator==(const FinishedStage&, const FinishedStage&) = default;
};

// A job as it is stored: everything that outlives the coordinator's process.
struct JobRecord {
  int64_t number = 0;  // counts submissions; the id is "job-<number>"
  std::string key;     // of its submission; empty when there was none
  JobSpec spec;        // as submitted, with all defaults filled in
  JobStatus status;
  std::optional<Plan> plan;             // of the newest generation that has one
  std::vector<FinishedStage> finished;  // of that generation
  int64_t last_event = 0;               // events so far

  friend bool operator==(const JobRecord&, const JobRecord&) = default;
};

}  // namespace stagecoach

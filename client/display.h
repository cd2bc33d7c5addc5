#pragma once

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/job/job_status.h"

// How a job looks to people: pure functions from its status to lines of text.
namespace stagecoach {

struct Look {
  int width = 80;        // columns; no line is longer
  bool colours = false;  // ANSI colours on states and violations
};

// The block that is redrawn while a job runs: title, progress bar, figures and
// a row per stage.
std::vector<std::string> StatusBlock(const JobStatus& job, absl::Time now,
                                     const Look& look);

// The same in one line, for logs.
std::string StatusLine(const JobStatus& job, absl::Time now);

// What stays on the screen when the job has ended.
std::vector<std::string> Summary(const JobStatus& job, const Look& look);

// "0..2, exactly 2 after the fill"; says how often the promise was broken,
// should it be.
std::string StalenessText(const Staleness& staleness);

// How long the job still trains at its present rate; infinite when unknown.
absl::Duration TimeLeft(const JobStatus& job);

}  // namespace stagecoach

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/data/data_source.h"
#include "core/job/job_status.h"
#include "core/resolve/resolved_job.h"
#include "worker/stage/stage.h"
#include "worker/transport/link.h"

namespace stagecoach {

struct InProcessOptions {
  std::shared_ptr<const ResolvedJob> job;
  std::shared_ptr<const DataSource> data;
  bool evaluate = true;
  absl::Duration timeout = absl::Minutes(10);

  // May put something around an end of the link between `lower` and the stage
  // above it; null leaves it as it is.
  std::function<std::unique_ptr<Link>(StageIndex lower, bool lower_end,
                                      std::unique_ptr<Link>)>
      wrap_link;

  // Also watches the stage, on its thread; outlives the run. Null: none.
  std::function<PassObserver*(StageIndex)> observer;
};

struct InProcessResult {
  std::string weights_digest;  // definitions.md, section 10
  std::vector<std::string> digest_lines;
  std::vector<Evaluation> evaluations;             // ascending versions
  std::vector<std::vector<UpdateRecord>> updates;  // by stage, in order
  std::vector<StageStatus> stages;
  TrainingFigures training;
};

// Runs a whole job in this process: every stage on a thread of its own, with
// the runner, links and observers that a worker has, but no cluster around it.
// For oracles and benches.
//
// The first error of any stage; kDeadlineExceeded after `timeout`.
absl::StatusOr<InProcessResult> RunInProcess(StageFactory& factory,
                                             const InProcessOptions& options);

}  // namespace stagecoach

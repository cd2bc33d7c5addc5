#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "coordinator/placement.h"
#include "core/base/ids.h"

namespace stagecoach {

struct WaitingJob {
  JobId job;
  int stages = 1;
};

// A worker that is here, free or not.
struct PresentWorker {
  WorkerSlots slots;
  bool free = true;
};

struct QueueDecision {
  struct Start {
    JobId job;
    std::vector<WorkerName> places;  // by stage
  };
  struct Wait {
    JobId job;
    std::string reason;
  };
  std::vector<Start> starts;
  std::vector<Wait> waits;
};

// Which of the jobs start now, and why the others do not. First come, first
// served: a job that waits for workers which are busy holds back those behind
// it, so that none starves; one that waits for workers which are not here does
// not.
QueueDecision DecideQueue(absl::Span<const WaitingJob> jobs,
                          absl::Span<const PresentWorker> workers);

}  // namespace stagecoach

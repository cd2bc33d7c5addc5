#pragma once

#include <memory>

#include "absl/time/time.h"
#include "client/console.h"
#include "client/job_client.h"
#include "core/base/clock.h"

namespace stagecoach {

// Shows a job as it goes on.
//
// Thread-confined: the thread that watches.
class JobView : public JobObserver {
 public:
  // The job has ended; nothing follows.
  virtual void OnEnd(const JobStatus& status) = 0;
};

// A block that is redrawn in place, with events as lines above it.
std::unique_ptr<JobView> TerminalView(Console& console, std::ostream& out,
                                      const Clock& clock);

// A line per event, and one of the status every two seconds at most.
std::unique_ptr<JobView> LineView(Console& console, std::ostream& out,
                                  const Clock& clock);

// One JSON object per line: {"event": ...} or {"status": ...}.
std::unique_ptr<JobView> JsonView(std::ostream& out);

}  // namespace stagecoach

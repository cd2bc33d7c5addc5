#pragma once

#include "core/job/job_status.h"
#include "worker/stage/stage.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Watches a stage beside its meter and its flight recorder, such as for
// metrics. Its destruction ends what it shows.
class StageWatch : public PassObserver {
 public:
  // Where the stage stands, told about twice a second and at its end, on the
  // worker's executor.
  virtual void Show(const StageStatus& status, const Link::Traffic& below,
                    const Link::Traffic& above) = 0;
};

}  // namespace stagecoach

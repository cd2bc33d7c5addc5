#pragma once

#include <string>
#include <variant>

#include "core/base/ids.h"
#include "core/job/job_spec.h"
#include "core/session/plan.h"

namespace stagecoach {

// What the coordinator tells a worker. An order of an older generation than
// one already seen for the job is ignored.

// Open the data of the job and report DataInspected.
struct InspectData {
  JobId job;
  Generation generation;
  JobSpec spec;
};

// Build the stages that the plan places on this worker, expect their links,
// and report StagesPrepared.
struct PrepareStages {
  Plan plan;
};

// All stages are prepared: connect upward and run.
struct StartStages {
  JobId job;
  Generation generation;
};

// Drop the job's stages of this and older generations, whatever their state,
// and report StagesStopped.
struct StopStages {
  JobId job;
  Generation generation;
  std::string reason;
};

// Report FlightRecord for every stage that runs or ran last.
struct RequestFlightRecord {
  JobId job;
};

using Order = std::variant<InspectData, PrepareStages, StartStages, StopStages,
                           RequestFlightRecord>;

}  // namespace stagecoach

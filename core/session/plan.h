#pragma once

#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/data/data_source.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// Which worker runs a stage, and where its neighbours reach it.
struct StagePlace {
  StageIndex stage;
  WorkerName worker;
  Incarnation incarnation;
  std::string data_address;  // "host:port"

  friend bool operator==(const StagePlace&, const StagePlace&) = default;
};

// What a job's workers run: stored with the job, its cuts inside the spec.
struct Plan {
  JobId job;
  Generation generation;
  JobSpec spec;  // resolved, `partition.cuts` given
  DataFacts facts;
  std::vector<StagePlace> places;  // by stage

  friend bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace stagecoach

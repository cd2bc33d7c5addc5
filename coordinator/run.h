#pragma once

#include <set>
#include <vector>

#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/session/plan.h"

namespace stagecoach {

// One generation of a job at work on its workers. A value.
struct Run {
  enum class Phase {
    kInspecting,  // the worker of stage 0 looks at the data
    kStoring,     // the plan is being stored
    kPreparing,   // the workers build their stages
    kTraining,
    kAdopting,  // the coordinator was restarted: are the stages still there?
  };

  Generation generation;
  std::vector<StagePlace> places;  // by stage
  Phase phase = Phase::kInspecting;
  // Whose answer the phase waits for, and until when (monotonic).
  std::set<WorkerName> waiting;
  absl::Duration deadline = absl::InfiniteDuration();

  std::set<WorkerName> Workers() const {
    std::set<WorkerName> workers;
    for (const StagePlace& place : places) workers.insert(place.worker);
    return workers;
  }

  // Whether this life of the worker has a part in it.
  bool Includes(const WorkerName& worker, Incarnation incarnation) const {
    for (const StagePlace& place : places) {
      if (place.worker == worker && place.incarnation == incarnation) {
        return true;
      }
    }
    return false;
  }

  bool Holds(const WorkerName& worker, StageIndex stage) const {
    for (const StagePlace& place : places) {
      if (place.stage == stage) return place.worker == worker;
    }
    return false;
  }
};

}  // namespace stagecoach

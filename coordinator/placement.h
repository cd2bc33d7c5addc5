#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/base/ids.h"

namespace stagecoach {

// A worker that could take stages.
struct WorkerSlots {
  WorkerName name;
  int slots = 1;
  std::string build;
};

// The worker of each stage; empty when the slots do not suffice. Workers of one
// build only. One stage each while there are workers enough; otherwise stages
// are spread as evenly as slots allow and consecutive ones stand together, so
// that few links leave a process. The same workers give the same places.
std::vector<WorkerName> Place(int stages, absl::Span<const WorkerSlots> free);

}  // namespace stagecoach

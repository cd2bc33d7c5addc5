#include "coordinator/placement.h"

#include <algorithm>
#include <map>

namespace stagecoach {
namespace {

int SlotsOf(absl::Span<const WorkerSlots> workers) {
  int slots = 0;
  for (const WorkerSlots& worker : workers) slots += worker.slots;
  return slots;
}

// How many stages each worker takes: one more for each in turn.
std::vector<int> Counts(int stages, absl::Span<const WorkerSlots> workers) {
  std::vector<int> counts(workers.size(), 0);
  for (size_t worker = 0; stages > 0; worker = (worker + 1) % counts.size()) {
    if (counts[worker] == workers[worker].slots) continue;
    ++counts[worker];
    --stages;
  }
  return counts;
}

}  // namespace

std::vector<WorkerName> Place(int stages, absl::Span<const WorkerSlots> free) {
  std::map<std::string, std::vector<WorkerSlots>> by_build;
  for (const WorkerSlots& worker : free) {
    by_build[worker.build].push_back(worker);
  }
  for (auto& [build, workers] : by_build) {
    if (SlotsOf(workers) < stages) continue;
    std::sort(workers.begin(), workers.end(),
              [](const WorkerSlots& left, const WorkerSlots& right) {
                return left.name < right.name;
              });
    const std::vector<int> counts = Counts(stages, workers);
    std::vector<WorkerName> places;
    for (size_t worker = 0; worker < workers.size(); ++worker) {
      places.insert(places.end(), static_cast<size_t>(counts[worker]),
                    workers[worker].name);
    }
    return places;
  }
  return {};
}

}  // namespace stagecoach

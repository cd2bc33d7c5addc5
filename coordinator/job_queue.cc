#include "coordinator/job_queue.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

std::string Count(int number, const char* noun) {
  return absl::StrCat(number, " ", noun, number == 1 ? "" : "s");
}

// "2 workers with 3 free slots are here"
std::string Supply(absl::Span<const PresentWorker> workers,
                   const std::vector<WorkerSlots>& free) {
  if (workers.empty()) return "no worker is here";
  int slots = 0;
  for (const WorkerSlots& worker : free) slots += worker.slots;
  const int count = static_cast<int>(workers.size());
  return absl::StrCat(Count(count, "worker"), " with ",
                      Count(slots, "free slot"),
                      count == 1 ? " is here" : " are here");
}

std::string Shortage(int stages, absl::Span<const PresentWorker> workers,
                     const std::vector<WorkerSlots>& free) {
  int slots = 0;
  std::set<std::string> builds;
  for (const WorkerSlots& worker : free) {
    slots += worker.slots;
    builds.insert(worker.build);
  }
  return absl::StrCat("needs ", Count(stages, "slot"), ", ",
                      Supply(workers, free),
                      slots >= stages && builds.size() > 1
                          ? "; they are of different builds, and a job runs on "
                            "workers of one"
                          : "");
}

}  // namespace

QueueDecision DecideQueue(absl::Span<const WaitingJob> jobs,
                          absl::Span<const PresentWorker> workers) {
  std::vector<WorkerSlots> all;
  std::vector<WorkerSlots> free;
  for (const PresentWorker& worker : workers) {
    all.push_back(worker.slots);
    if (worker.free) free.push_back(worker.slots);
  }
  QueueDecision decision;
  JobId ahead;
  for (const WaitingJob& job : jobs) {
    if (!ahead.empty()) {
      decision.waits.push_back(
          {job.job, absl::StrCat("is behind ", ahead.value())});
      continue;
    }
    const std::vector<WorkerName> places = Place(job.stages, free);
    if (places.empty()) {
      decision.waits.push_back({job.job, Shortage(job.stages, workers, free)});
      if (!Place(job.stages, all).empty()) ahead = job.job;
      continue;
    }
    decision.starts.push_back({job.job, places});
    free.erase(std::remove_if(free.begin(), free.end(),
                              [&](const WorkerSlots& worker) {
                                return std::find(places.begin(), places.end(),
                                                 worker.name) != places.end();
                              }),
               free.end());
  }
  return decision;
}

}  // namespace stagecoach

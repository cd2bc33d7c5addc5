#include "tests/fakes/fake_job_store.h"

#include <algorithm>
#include <set>

namespace stagecoach {

absl::StatusOr<std::vector<JobRecord>> FakeJobStore::LoadJobs() {
  std::vector<JobRecord> records;
  for (const auto& [id, job] : jobs_) records.push_back(job.record);
  std::sort(records.begin(), records.end(),
            [](const JobRecord& left, const JobRecord& right) {
              return left.number < right.number;
            });
  return records;
}

absl::StatusOr<std::vector<JobEvent>> FakeJobStore::LoadEvents(const JobId& job,
                                                               int64_t after,
                                                               int limit) {
  ++loads_;
  std::vector<JobEvent> events;
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return events;
  for (const auto& [sequence, event] : found->second.events) {
    if (sequence > after && static_cast<int>(events.size()) < limit) {
      events.push_back(event);
    }
  }
  return events;
}

absl::Status FakeJobStore::Commit(absl::Span<const Mutation> mutations) {
  if (!failure_.ok()) return failure_;
  ++commits_;
  if (!NumbersAreFree(mutations)) {
    return absl::InternalError("an event of this number is stored");
  }
  for (const Mutation& mutation : mutations) {
    if (mutation.forget) {
      jobs_.erase(mutation.job);
      continue;
    }
    Stored& job = jobs_[mutation.job];
    if (mutation.record.has_value()) job.record = *mutation.record;
    for (const JobEvent& event : mutation.events) {
      job.events.emplace(event.sequence, event);
    }
  }
  return absl::OkStatus();
}

// Known before anything is changed, so that a commit that fails changes
// nothing.
bool FakeJobStore::NumbersAreFree(absl::Span<const Mutation> mutations) const {
  std::set<JobId> forgotten;
  std::map<JobId, std::set<int64_t>> added;
  for (const Mutation& mutation : mutations) {
    if (mutation.forget) {
      forgotten.insert(mutation.job);
      added.erase(mutation.job);
      continue;
    }
    const auto stored = jobs_.find(mutation.job);
    const bool is_stored =
        stored != jobs_.end() && !forgotten.contains(mutation.job);
    for (const JobEvent& event : mutation.events) {
      if (!added[mutation.job].insert(event.sequence).second) return false;
      if (is_stored && stored->second.events.contains(event.sequence)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace stagecoach

#include "tests/fakes/fake_job_store.h"

#include <algorithm>

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
  for (const JobEvent& event : jobs_[job].events) {
    if (event.sequence > after && static_cast<int>(events.size()) < limit) {
      events.push_back(event);
    }
  }
  return events;
}

absl::Status FakeJobStore::Commit(absl::Span<const Mutation> mutations) {
  if (!failure_.ok()) return failure_;
  ++commits_;
  for (const Mutation& mutation : mutations) {
    if (mutation.forget) {
      jobs_.erase(mutation.job);
      continue;
    }
    Stored& job = jobs_[mutation.job];
    if (mutation.record.has_value()) job.record = *mutation.record;
    job.events.insert(job.events.end(), mutation.events.begin(),
                      mutation.events.end());
  }
  return absl::OkStatus();
}

}  // namespace stagecoach

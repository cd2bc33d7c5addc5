#pragma once

#include <map>
#include <vector>

#include "coordinator/job_store.h"

namespace stagecoach {

// A JobStore in memory. Give it to a second coordinator to see what a restart
// finds.
//
// Thread-confined, as every JobStore.
class FakeJobStore final : public JobStore {
 public:
  absl::StatusOr<std::vector<JobRecord>> LoadJobs() override;
  absl::StatusOr<std::vector<JobEvent>> LoadEvents(const JobId& job,
                                                   int64_t after,
                                                   int limit) override;
  absl::Status Commit(absl::Span<const Mutation> mutations) override;

  // Every commit fails with this from now on; OK ends that.
  void FailWith(const absl::Status& failure) { failure_ = failure; }

  int commits() const { return commits_; }
  int loads() const { return loads_; }

 private:
  struct Stored {
    JobRecord record;
    std::map<int64_t, JobEvent> events;  // by sequence
  };

  bool NumbersAreFree(absl::Span<const Mutation> mutations) const;

  absl::Status failure_;
  int commits_ = 0;
  int loads_ = 0;
  std::map<JobId, Stored> jobs_;
};

}  // namespace stagecoach

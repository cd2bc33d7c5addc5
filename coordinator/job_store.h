#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "coordinator/job_record.h"

namespace stagecoach {

// What changed of one job: all of it is stored, or nothing.
struct Mutation {
  JobId job;
  std::optional<JobRecord> record;  // replaces the one that is stored
  std::vector<JobEvent> events;     // added; their numbers go on without a gap
  bool forget = false;              // removes the job and its events instead
};

// Where jobs and their events survive the coordinator.
//
// Thread-confined: the journal's thread, after the start. Errors:
//   kResourceExhausted: the disk is full; kDataLoss: what is stored cannot be
//   read; kInternal: the system's words, or an event's number is taken.
class JobStore {
 public:
  virtual ~JobStore() = default;

  // Every job, by ascending number.
  virtual absl::StatusOr<std::vector<JobRecord>> LoadJobs() = 0;

  // At most `limit` events of the job with a sequence above `after`, in order.
  virtual absl::StatusOr<std::vector<JobEvent>> LoadEvents(const JobId& job,
                                                           int64_t after,
                                                           int limit) = 0;

  // All mutations in their order as one step that survives a crash, or none.
  virtual absl::Status Commit(absl::Span<const Mutation> mutations) = 0;
};

}  // namespace stagecoach

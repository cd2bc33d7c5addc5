#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/interrupt.h"
#include "core/base/ids.h"
#include "core/job/job_spec.h"
#include "core/job/job_status.h"
#include "core/session/report.h"

namespace stagecoach {

// What `watch` hears of a job.
class JobObserver {
 public:
  virtual ~JobObserver() = default;

  // In order and without a gap.
  virtual void OnEvent(const JobEvent& event) = 0;

  // Newer ones replace older ones; the last is never missed.
  virtual void OnStatus(const JobStatus& status) = 0;
};

struct JobDescription {
  JobStatus status;
  JobSpec spec;  // with all defaults filled in
};

// What clients ask of a coordinator. Every call blocks, with a deadline of its
// own, but for Watch. Everywhere:
//   kUnavailable, kDeadlineExceeded: no coordinator answers at the address,
//     which the message names.
//   kNotFound: there is no such job or worker.
//   kPermissionDenied, kUnauthenticated.
//
// Thread-safe.
class JobClient {
 public:
  virtual ~JobClient() = default;

  // The same key with the same spec never makes a second job; an empty one
  // always does. kInvalidArgument with the field that is wrong; kAlreadyExists
  // when the key belongs to another spec.
  virtual absl::StatusOr<JobStatus> Submit(const JobSpec& spec,
                                           const std::string& key) = 0;

  virtual absl::StatusOr<std::vector<JobStatus>> List() = 0;  // newest first
  virtual absl::StatusOr<JobDescription> Describe(const JobId& job) = 0;

  // Calls `observer` on this thread with the events after `after_sequence` and
  // with statuses, until the job has ended (OK), the connection is lost
  // (kUnavailable: call again) or `interrupt` was triggered (kCancelled).
  virtual absl::Status Watch(const JobId& job, int64_t after_sequence,
                             JobObserver& observer, Interrupt& interrupt) = 0;

  // kFailedPrecondition: the job has ended.
  virtual absl::StatusOr<JobStatus> Cancel(const JobId& job) = 0;

  virtual absl::StatusOr<std::vector<WorkerStatus>> Workers() = 0;

  // The last moves of each stage on the worker. kFailedPrecondition: it runs
  // none.
  virtual absl::StatusOr<std::vector<FlightRecord>> FlightRecords(
      const WorkerName& worker) = 0;
};

}  // namespace stagecoach

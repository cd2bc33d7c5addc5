#pragma once

#include <functional>
#include <set>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/session/report.h"

namespace stagecoach {

// Requests for a worker's flight record that wait for its answer, one report
// for each stage.
//
// Thread-confined: Coordinator, under its lock. What is ready is returned for
// the caller to call without the lock.
class FlightRequests {
 public:
  using Done = std::function<void(absl::StatusOr<std::vector<FlightRecord>>)>;
  using Ready = std::vector<std::function<void()>>;

  bool full() const { return requests_.size() >= 100; }

  void Add(const WorkerName& worker, const JobId& job,
           const std::set<int>& stages, absl::Duration deadline, Done done);

  Ready Take(const WorkerName& worker, const FlightRecord& record);
  Ready Expire(absl::Duration now);
  // All of them end with this.
  Ready Fail(const absl::Status& why);

 private:
  struct Request {
    WorkerName worker;
    JobId job;
    std::set<int> missing;
    std::vector<FlightRecord> records;
    absl::Duration deadline;
    Done done;
  };
  std::vector<Request> requests_;
};

}  // namespace stagecoach

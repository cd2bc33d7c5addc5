#pragma once

#include <map>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "core/job/job_status.h"
#include "core/metrics/metrics.h"

namespace stagecoach {

// The coordinator's metrics.
//
// Thread-confined: Coordinator, under its lock.
class CoordinatorMetrics {
 public:
  explicit CoordinatorMetrics(Metrics& metrics);

  // A job's series go when it has ended.
  void ShowJob(const JobStatus& status);

  // How many there are in each state; states that are not named have none.
  void ShowJobs(const std::map<JobState, int>& jobs);
  void ShowWorkers(const std::map<std::string, int>& workers);

  void CountLeaseExpiration() { lease_expirations_.Add(); }
  void CountRecovery() { recoveries_.Add(); }
  void ObserveRecovery(absl::Duration took) {
    recovery_seconds_.Observe(absl::ToDoubleSeconds(took));
  }

 private:
  struct JobGauges {
    Gauge step;
    Gauge epoch;
    // Once they are known: zero would be a value.
    std::optional<Gauge> loss;
    std::optional<Gauge> accuracy;
  };

  Metrics& metrics_;
  Counter lease_expirations_;
  Counter recoveries_;
  Histogram recovery_seconds_;
  std::map<JobState, Gauge> jobs_;
  std::map<std::string, Gauge> workers_;
  std::map<JobId, JobGauges> by_job_;
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "coordinator/job.h"

namespace stagecoach {

// All jobs of a coordinator. References to jobs stay valid until Forget().
//
// Thread-confined: Coordinator, under its lock.
class JobTable {
 public:
  Job& Add(Job job);

  // Null when there is no such job.
  Job* Find(const JobId& id);
  const Job* Find(const JobId& id) const;

  // The job that was submitted with this key; null when there is none.
  Job* FindKey(const std::string& key);

  // The oldest job that has ended; null when none has.
  Job* OldestEnded();
  void Forget(const JobId& id);

  size_t CountEnded() const;
  size_t size() const { return jobs_.size(); }
  int64_t next_number() const { return next_number_; }

  // By number, which is the order of submission.
  std::map<int64_t, Job>& jobs() { return jobs_; }
  const std::map<int64_t, Job>& jobs() const { return jobs_; }

 private:
  std::map<int64_t, Job> jobs_;
  std::map<JobId, int64_t> numbers_;
  std::map<std::string, int64_t> keys_;
  int64_t next_number_ = 1;
};

}  // namespace stagecoach

#pragma once

#include <cstddef>
#include <deque>
#include <utility>

#include "core/base/ids.h"

namespace stagecoach {

// Tells orders of a job's newest plan from those that a newer one has
// overtaken. Remembers the jobs that it saw last.
//
// Thread-confined: the worker's executor.
class GenerationFence {
 public:
  static constexpr size_t kJobs = 256;

  // False when a newer generation of the job was admitted before.
  bool Admit(const JobId& job, Generation generation) {
    for (auto& [known, newest] : newest_) {
      if (known != job) continue;
      if (generation < newest) return false;
      newest = generation;
      return true;
    }
    newest_.emplace_back(job, generation);
    if (newest_.size() > kJobs) newest_.pop_front();
    return true;
  }

 private:
  std::deque<std::pair<JobId, Generation>> newest_;
};

}  // namespace stagecoach

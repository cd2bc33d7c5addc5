#include "coordinator/job_table.h"

#include <algorithm>
#include <utility>

namespace stagecoach {

Job& JobTable::Add(Job job) {
  const int64_t number = job.record().number;
  numbers_[job.id()] = number;
  if (!job.record().key.empty()) keys_[job.record().key] = number;
  next_number_ = std::max(next_number_, number + 1);
  return jobs_.emplace(number, std::move(job)).first->second;
}

const Job* JobTable::Find(const JobId& id) const {
  const auto number = numbers_.find(id);
  return number == numbers_.end() ? nullptr : &jobs_.at(number->second);
}

Job* JobTable::Find(const JobId& id) {
  return const_cast<Job*>(std::as_const(*this).Find(id));
}

Job* JobTable::FindKey(const std::string& key) {
  const auto number = keys_.find(key);
  return number == keys_.end() ? nullptr : &jobs_.at(number->second);
}

Job* JobTable::OldestEnded() {
  for (auto& [number, job] : jobs_) {
    if (IsFinal(job.status().state)) return &job;
  }
  return nullptr;
}

void JobTable::Forget(const JobId& id) {
  const auto number = numbers_.find(id);
  if (number == numbers_.end()) return;
  keys_.erase(jobs_.at(number->second).record().key);
  jobs_.erase(number->second);
  numbers_.erase(number);
}

size_t JobTable::CountEnded() const {
  size_t ended = 0;
  for (const auto& [number, job] : jobs_) ended += IsFinal(job.status().state);
  return ended;
}

}  // namespace stagecoach

#include "coordinator/journal.h"

#include <iterator>
#include <utility>

namespace stagecoach {

Journal::Journal(JobStore& store, Executor& executor,
                 std::function<void(const absl::Status&)> on_failure)
    : store_(store), executor_(executor), on_failure_(std::move(on_failure)) {}

void Journal::Enqueue(std::vector<Mutation> mutations, Done done) {
  const MutexLock lock(mutex_);
  waiting_.push_back({std::move(mutations), std::move(done)});
  if (!std::exchange(busy_, true)) {
    executor_.Post([this] { CommitWaiting(); });
  }
}

void Journal::Read(std::function<void(JobStore&)> read) {
  Enqueue({}, [this, read = std::move(read)](const absl::Status&) {
    read(store_);
  });
}

bool Journal::Flush(absl::Duration timeout) {
  const MutexLock lock(mutex_);
  const auto idle = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !busy_;
  };
  return mutex_.AwaitWithTimeout(absl::Condition(&idle), timeout);
}

void Journal::CommitWaiting() {
  std::vector<Entry> entries;
  {
    const MutexLock lock(mutex_);
    entries.swap(waiting_);
  }
  const absl::Status status = Commit(entries);
  for (const Entry& entry : entries) entry.done(status);
  const MutexLock lock(mutex_);
  busy_ = !waiting_.empty();
  if (busy_) executor_.Post([this] { CommitWaiting(); });
}

absl::Status Journal::Commit(const std::vector<Entry>& entries) {
  if (!failure_.ok()) return failure_;
  std::vector<Mutation> mutations;
  for (const Entry& entry : entries) {
    mutations.insert(mutations.end(), entry.mutations.begin(),
                     entry.mutations.end());
  }
  if (mutations.empty()) return absl::OkStatus();
  failure_ = store_.Commit(mutations);
  if (!failure_.ok()) on_failure_(failure_);
  return failure_;
}

}  // namespace stagecoach

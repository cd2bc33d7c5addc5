#pragma once

#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "coordinator/job_store.h"
#include "core/base/executor.h"
#include "core/base/mutex.h"

namespace stagecoach {

// Makes changes durable behind the back of those who make them: whatever waits
// is committed in one transaction, since each costs a write to the disk.
//
// Thread-safe. The store is touched by tasks of `executor` only, which must
// have run dry before the journal is destroyed.
class Journal {
 public:
  using Done = std::function<void(const absl::Status&)>;

  // `on_failure` is told of the first commit that fails. From then on nothing
  // is committed and every `done` gets that error: memory is ahead of the
  // store, so the process should end and start again from what is stored.
  Journal(JobStore& store, Executor& executor,
          std::function<void(const absl::Status&)> on_failure);

  // Commits the mutations after all that were enqueued before, then calls
  // `done`, on the executor. With no mutation `done` just waits its turn.
  void Enqueue(std::vector<Mutation> mutations, Done done);

  // Runs `read` on the executor, after all that is enqueued was committed.
  void Read(std::function<void(JobStore&)> read);

  // Waits until nothing is left to commit; false if `timeout` passes first.
  bool Flush(absl::Duration timeout);

 private:
  struct Entry {
    std::vector<Mutation> mutations;
    Done done;
  };

  void CommitWaiting();
  absl::Status Commit(const std::vector<Entry>& entries);

  JobStore& store_;
  Executor& executor_;
  const std::function<void(const absl::Status&)> on_failure_;
  absl::Status failure_;  // touched by the executor only

  Mutex mutex_;
  std::vector<Entry> waiting_ ABSL_GUARDED_BY(mutex_);
  bool busy_ ABSL_GUARDED_BY(mutex_) = false;  // a task is posted or runs
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/journal.h"
#include "core/base/mutex.h"
#include "core/job/job_status.h"

namespace stagecoach {

// A status and the count of changes that led to it (Job::revision).
struct StatusSnapshot {
  JobStatus status;
  int64_t revision = 0;
};

class JobFeed;

// One watcher's place in the events of a job.
//
// Thread-confined: whoever watches.
class Subscription {
 public:
  // Nothing: there is no news; the next wake says when to ask again.
  using News = std::variant<std::monostate, JobEvent, JobStatus>;

  ~Subscription();
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  // The next news: every event in its turn, the newest status between them.
  // kOutOfRange: the job has ended and all was taken. Other errors end the
  // subscription too.
  absl::StatusOr<News> Take();

 private:
  friend class JobFeed;
  struct State;

  Subscription(JobFeed& feed, std::shared_ptr<State> state)
      : feed_(feed), state_(std::move(state)) {}

  JobFeed& feed_;
  const std::shared_ptr<State> state_;
};

// Hands events and statuses of jobs to those who watch. A slow watcher holds up
// nobody: it is never waited for, statuses that it did not take in time are
// replaced, and events that have left memory come from the store.
//
// Thread-safe. Outlives its subscriptions.
class JobFeed {
 public:
  // Events of a job that are kept in memory.
  static constexpr size_t kMaxEvents = 256;

  explicit JobFeed(Journal& journal) : journal_(journal) {}

  // News of a job. The events are stored, and go on from the last one; `ended`:
  // nothing follows. Older snapshots than the newest are passed over.
  void Publish(const std::vector<JobEvent>& events,
               const StatusSnapshot& snapshot, bool ended);

  // A job that was stored by an earlier coordinator, with so many events.
  void Restore(int64_t last_event, const StatusSnapshot& snapshot, bool ended);

  // The job exists no more; its watchers are told kNotFound.
  void Forget(const JobId& job);

  // Tells every watcher, present and future, that this is the end.
  void Close(const absl::Status& why);

  // Events after `after` and statuses. There may be something to take at once,
  // and whenever `wake` is called: from any thread, also while Take() runs, but
  // never from inside it nor with a lock held; it must not block.
  //   kNotFound: there is no such job.
  absl::StatusOr<std::unique_ptr<Subscription>> Subscribe(
      const JobId& job, int64_t after, std::function<void()> wake);

 private:
  friend class Subscription;
  struct Topic {
    StatusSnapshot snapshot;
    bool ended = false;
    int64_t last_event = 0;
    std::deque<JobEvent> events;  // the newest; the last is `last_event`
    std::vector<std::weak_ptr<Subscription::State>> watchers;
  };
  using Watchers = std::vector<std::shared_ptr<Subscription::State>>;

  absl::StatusOr<Subscription::News> Take(
      const std::shared_ptr<Subscription::State>& state);
  absl::StatusOr<Subscription::News> TakeLocked(
      const std::shared_ptr<Subscription::State>& state, bool& must_load)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Load(const std::shared_ptr<Subscription::State>& state);
  Watchers WatchersLocked(Topic& topic) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Journal& journal_;
  Mutex mutex_;
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
  std::map<JobId, Topic> topics_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

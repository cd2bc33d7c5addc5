#include "coordinator/job_feed.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

// Events that one load takes from the store.
constexpr int kLoadEvents = 256;

absl::Status NoSuchJob(const JobId& job) {
  return absl::NotFoundError(absl::StrCat("there is no job \"", job.value(),
                                          "\"; `stagecoach list` shows all"));
}

}  // namespace

// Guarded by the feed's lock.
struct Subscription::State {
  JobId job;
  std::function<void()> wake;
  int64_t taken_event = 0;     // the last event that was taken
  int64_t taken_revision = 0;  // of the last status that was taken
  bool loading = false;
  std::deque<JobEvent> loaded;  // from the store, after `taken_event`
  absl::Status failure;
};

Subscription::~Subscription() = default;

absl::StatusOr<Subscription::News> Subscription::Take() {
  return feed_.Take(state_);
}

void JobFeed::Publish(const std::vector<JobEvent>& events,
                      const StatusSnapshot& snapshot, bool ended) {
  Watchers watchers;
  {
    const MutexLock lock(mutex_);
    // A late status does not bring a forgotten job back.
    if (events.empty() && !topics_.contains(snapshot.status.id)) return;
    Topic& topic = topics_[snapshot.status.id];
    for (const JobEvent& event : events) {
      topic.events.push_back(event);
      topic.last_event = event.sequence;
      if (topic.events.size() > kMaxEvents) topic.events.pop_front();
    }
    if (snapshot.revision > topic.snapshot.revision) topic.snapshot = snapshot;
    topic.ended = topic.ended || ended;
    watchers = WatchersLocked(topic);
  }
  for (const auto& watcher : watchers) watcher->wake();
}

void JobFeed::Restore(int64_t last_event, const StatusSnapshot& snapshot,
                      bool ended) {
  const MutexLock lock(mutex_);
  topics_[snapshot.status.id] = {
      .snapshot = snapshot, .ended = ended, .last_event = last_event};
}

void JobFeed::Forget(const JobId& job) {
  Watchers watchers;
  {
    const MutexLock lock(mutex_);
    const auto topic = topics_.find(job);
    if (topic == topics_.end()) return;
    watchers = WatchersLocked(topic->second);
    topics_.erase(topic);
  }
  for (const auto& watcher : watchers) watcher->wake();
}

void JobFeed::Close(const absl::Status& why) {
  Watchers watchers;
  {
    const MutexLock lock(mutex_);
    closed_ = why;
    for (auto& [job, topic] : topics_) {
      const Watchers more = WatchersLocked(topic);
      watchers.insert(watchers.end(), more.begin(), more.end());
    }
  }
  for (const auto& watcher : watchers) watcher->wake();
}

absl::StatusOr<std::unique_ptr<Subscription>> JobFeed::Subscribe(
    const JobId& job, int64_t after, std::function<void()> wake) {
  auto state = std::make_shared<Subscription::State>();
  state->job = job;
  state->wake = std::move(wake);
  state->taken_event = std::max<int64_t>(after, 0);
  {
    const MutexLock lock(mutex_);
    const auto topic = topics_.find(job);
    if (topic == topics_.end()) return NoSuchJob(job);
    WatchersLocked(topic->second);  // nothing else may drop those that left
    topic->second.watchers.push_back(state);
  }
  return std::unique_ptr<Subscription>(
      new Subscription(*this, std::move(state)));
}

absl::StatusOr<Subscription::News> JobFeed::Take(
    const std::shared_ptr<Subscription::State>& state) {
  bool must_load = false;
  absl::StatusOr<Subscription::News> news;
  {
    const MutexLock lock(mutex_);
    news = TakeLocked(state, must_load);
  }
  if (must_load) Load(state);
  return news;
}

absl::StatusOr<Subscription::News> JobFeed::TakeLocked(
    const std::shared_ptr<Subscription::State>& state, bool& must_load) {
  SC_RETURN_IF_ERROR(closed_);
  SC_RETURN_IF_ERROR(state->failure);
  const auto found = topics_.find(state->job);
  if (found == topics_.end()) return NoSuchJob(state->job);
  const Topic& topic = found->second;

  const int64_t next = state->taken_event + 1;
  if (!state->loaded.empty()) {
    JobEvent event = std::move(state->loaded.front());
    state->loaded.pop_front();
    state->taken_event = event.sequence;
    return event;
  }
  if (next <= topic.last_event) {
    const int64_t first =
        topic.last_event - static_cast<int64_t>(topic.events.size()) + 1;
    if (next < first) {
      must_load = !std::exchange(state->loading, true);
      return Subscription::News();
    }
    state->taken_event = next;
    return topic.events[static_cast<size_t>(next - first)];
  }
  if (state->taken_revision < topic.snapshot.revision) {
    state->taken_revision = topic.snapshot.revision;
    return topic.snapshot.status;
  }
  if (topic.ended) return absl::OutOfRangeError("the job has ended");
  return Subscription::News();
}

void JobFeed::Load(const std::shared_ptr<Subscription::State>& state) {
  journal_.Read([this, state](JobStore& store) {
    int64_t after = 0;
    {
      const MutexLock lock(mutex_);
      after = state->taken_event;
    }
    auto events = store.LoadEvents(state->job, after, kLoadEvents);
    {
      const MutexLock lock(mutex_);
      state->loading = false;
      if (!events.ok()) {
        state->failure = events.status();
      } else if (events->empty()) {
        state->failure = absl::DataLossError(
            absl::StrCat("events of ", state->job.value(), " after ", after,
                         " are not stored"));
      } else {
        state->loaded.assign(events->begin(), events->end());
      }
    }
    state->wake();
  });
}

JobFeed::Watchers JobFeed::WatchersLocked(Topic& topic) {
  Watchers watchers;
  for (const auto& weak : topic.watchers) {
    if (auto watcher = weak.lock()) watchers.push_back(std::move(watcher));
  }
  topic.watchers.assign(watchers.begin(), watchers.end());
  return watchers;
}

}  // namespace stagecoach

#pragma once

#include <prometheus/registry.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "core/base/mutex.h"

namespace stagecoach {

// Who holds which series of a registry, and which may go. prometheus-cpp frees
// a metric on removal while references live, and never removes one by itself.
//
// Thread-safe.
class SeriesBook {
 public:
  // Series that nobody holds are kept for one scrape; where nobody scrapes, at
  // most this many.
  static constexpr size_t kMaxReleased = 1000;

  prometheus::Registry& registry() { return registry_; }

  // Counts one more holder of a series. `find` finds the series or makes it,
  // and returns how to remove it; no series is removed while it runs.
  void Hold(const std::string& key,
            const std::function<std::function<void()>()>& find);
  void Release(const std::string& key);

  // Around the collection of one scrape: what was released before it began is
  // removed when it has ended.
  int64_t BeginScrape();
  void EndScrape(int64_t began);

 private:
  struct Series {
    int holders = 0;
    int64_t released = -1;  // serial of its release; -1: it is held
    std::function<void()> remove;
  };

  void RemoveOldestLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  prometheus::Registry registry_;
  Mutex mutex_;
  std::map<std::string, Series> series_ ABSL_GUARDED_BY(mutex_);
  // Keys of those that nobody holds, in the order of their release.
  std::map<int64_t, std::string> released_ ABSL_GUARDED_BY(mutex_);
  int64_t next_release_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace stagecoach

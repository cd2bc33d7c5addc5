#include "core/metrics/series_book.h"

namespace stagecoach {

void SeriesBook::Hold(const std::string& key,
                      const std::function<std::function<void()>()>& find) {
  const MutexLock lock(mutex_);
  Series& series = series_[key];
  series.remove = find();
  if (series.holders++ == 0) released_.erase(series.released);
  series.released = -1;
}

void SeriesBook::Release(const std::string& key) {
  const MutexLock lock(mutex_);
  Series& series = series_.at(key);
  if (--series.holders > 0) return;
  series.released = next_release_++;
  released_[series.released] = key;
  while (released_.size() > kMaxReleased) RemoveOldestLocked();
}

int64_t SeriesBook::BeginScrape() {
  const MutexLock lock(mutex_);
  return next_release_;
}

void SeriesBook::EndScrape(int64_t began) {
  const MutexLock lock(mutex_);
  while (!released_.empty() && released_.begin()->first < began) {
    RemoveOldestLocked();
  }
}

void SeriesBook::RemoveOldestLocked() {
  const auto oldest = released_.begin();
  const auto series = series_.find(oldest->second);
  series->second.remove();
  series_.erase(series);
  released_.erase(oldest);
}

}  // namespace stagecoach

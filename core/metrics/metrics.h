#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace stagecoach {

// Values by label name.
using Labels = std::map<std::string, std::string>;

class SeriesBook;

// Holds one series of a metric: while anyone does, it is exposed; once nobody
// does, it is exposed for one more scrape and then removed. Movable, not
// copyable; a moved-from or default-made handle ignores what it is told.
// Outliving the Metrics is allowed.
//
// Thread-safe, but for moving and destroying.
template <typename Metric>
class SeriesHandle {
 public:
  SeriesHandle() = default;
  SeriesHandle(std::shared_ptr<SeriesBook> book, std::string key,
               Metric* metric);
  ~SeriesHandle() { Release(); }
  SeriesHandle(SeriesHandle&& other) noexcept { *this = std::move(other); }
  SeriesHandle& operator=(SeriesHandle&& other) noexcept;

 protected:
  Metric* metric() const { return metric_; }

 private:
  void Release();

  std::shared_ptr<SeriesBook> book_;
  std::string key_;
  Metric* metric_ = nullptr;
};

// Only grows; its name ends in _total.
class Counter : public SeriesHandle<prometheus::Counter> {
 public:
  using SeriesHandle::SeriesHandle;
  void Add(double amount = 1);
};

class Gauge : public SeriesHandle<prometheus::Gauge> {
 public:
  using SeriesHandle::SeriesHandle;
  void Set(double value);
};

class Histogram : public SeriesHandle<prometheus::Histogram> {
 public:
  using SeriesHandle::SeriesHandle;
  void Observe(double value);
};

// Every metric of a process, and the names they may have: "stagecoach_" is put
// before each; letters are lower case; counters, and they alone, end in _total;
// labels are from one short list, so that dashboards can rely on them. A name
// that breaks this ends the process: it is a mistake in our code.
//
// Asking again for a name with the same labels gives another handle on the same
// series, its value included.
//
// Thread-safe.
class Metrics {
 public:
  Metrics();
  ~Metrics();

  Counter AddCounter(absl::string_view name, absl::string_view help,
                     const Labels& labels = {});
  Gauge AddGauge(absl::string_view name, absl::string_view help,
                 const Labels& labels = {});
  // `bounds` are the upper bounds of the buckets, ascending.
  Histogram AddHistogram(absl::string_view name, absl::string_view help,
                         const Labels& labels,
                         const std::vector<double>& bounds);

  // All series in the text format of Prometheus. Counts as a scrape.
  std::string Scrape();

 private:
  std::shared_ptr<SeriesBook> book_;
};

}  // namespace stagecoach

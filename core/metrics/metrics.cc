#include "core/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/text_serializer.h>

#include <sstream>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/metrics/metric_name.h"
#include "core/metrics/series_book.h"

namespace stagecoach {
namespace {

constexpr char kPrefix[] = "stagecoach_";

// Unambiguous whatever the values hold: their lengths stand before them.
std::string KeyOf(absl::string_view name, const Labels& labels) {
  std::string key(name);
  for (const auto& [label, value] : labels) {
    absl::StrAppend(&key, ",", label, "=", value.size(), ":", value);
  }
  return key;
}

template <typename Handle, typename Metric, typename Family, typename... Bounds>
Handle AddTo(const std::shared_ptr<SeriesBook>& book, Family& family,
             absl::string_view name, const Labels& labels,
             const Bounds&... bounds) {
  const std::string key = KeyOf(name, labels);
  Metric* metric = nullptr;
  book->Hold(key, [&] {
    metric = &family.Add(labels, bounds...);
    return [&family, metric] { family.Remove(metric); };
  });
  return Handle(book, key, metric);
}

void CheckName(absl::string_view name, bool is_counter, const Labels& labels) {
  const std::string fault = NameFault(name, is_counter, labels);
  SC_CHECK(fault.empty(), fault);
}

}  // namespace

template <typename Metric>
SeriesHandle<Metric>::SeriesHandle(std::shared_ptr<SeriesBook> book,
                                   std::string key, Metric* metric)
    : book_(std::move(book)), key_(std::move(key)), metric_(metric) {}

template <typename Metric>
SeriesHandle<Metric>& SeriesHandle<Metric>::operator=(
    SeriesHandle&& other) noexcept {
  if (this == &other) return *this;
  Release();
  book_ = std::move(other.book_);
  key_ = std::move(other.key_);
  metric_ = std::exchange(other.metric_, nullptr);
  return *this;
}

template <typename Metric>
void SeriesHandle<Metric>::Release() {
  if (metric_ != nullptr) book_->Release(key_);
  metric_ = nullptr;
}

template class SeriesHandle<prometheus::Counter>;
template class SeriesHandle<prometheus::Gauge>;
template class SeriesHandle<prometheus::Histogram>;

void Counter::Add(double amount) {
  if (metric() != nullptr) metric()->Increment(amount);
}

void Gauge::Set(double value) {
  if (metric() != nullptr) metric()->Set(value);
}

void Histogram::Observe(double value) {
  if (metric() != nullptr) metric()->Observe(value);
}

Metrics::Metrics() : book_(std::make_shared<SeriesBook>()) {}

Metrics::~Metrics() = default;

Counter Metrics::AddCounter(absl::string_view name, absl::string_view help,
                            const Labels& labels) {
  CheckName(name, /*is_counter=*/true, labels);
  auto& family = prometheus::BuildCounter()
                     .Name(absl::StrCat(kPrefix, name))
                     .Help(std::string(help))
                     .Register(book_->registry());
  return AddTo<Counter, prometheus::Counter>(book_, family, name, labels);
}

Gauge Metrics::AddGauge(absl::string_view name, absl::string_view help,
                        const Labels& labels) {
  CheckName(name, /*is_counter=*/false, labels);
  auto& family = prometheus::BuildGauge()
                     .Name(absl::StrCat(kPrefix, name))
                     .Help(std::string(help))
                     .Register(book_->registry());
  return AddTo<Gauge, prometheus::Gauge>(book_, family, name, labels);
}

Histogram Metrics::AddHistogram(absl::string_view name, absl::string_view help,
                                const Labels& labels,
                                const std::vector<double>& bounds) {
  CheckName(name, /*is_counter=*/false, labels);
  auto& family = prometheus::BuildHistogram()
                     .Name(absl::StrCat(kPrefix, name))
                     .Help(std::string(help))
                     .Register(book_->registry());
  return AddTo<Histogram, prometheus::Histogram>(book_, family, name, labels,
                                                 bounds);
}

std::string Metrics::Scrape() {
  const int64_t began = book_->BeginScrape();
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, book_->registry().Collect());
  book_->EndScrape(began);
  return text.str();
}

}  // namespace stagecoach

#include "tests/bench/measure.h"

#include <time.h>

#include <algorithm>
#include <utility>

namespace stagecoach {
namespace {

double Read(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double ProcessorSeconds() { return Read(CLOCK_PROCESS_CPUTIME_ID); }
double WallSeconds() { return Read(CLOCK_MONOTONIC); }

Seconds TimeOf(const std::function<void()>& work) {
  const Seconds begin = {.processor = ProcessorSeconds(),
                         .wall = WallSeconds()};
  work();
  return {.processor = ProcessorSeconds() - begin.processor,
          .wall = WallSeconds() - begin.wall};
}

std::vector<double> ProcessorTimes(const std::vector<Seconds>& times) {
  std::vector<double> values;
  values.reserve(times.size());
  for (const Seconds& time : times) values.push_back(time.processor);
  return values;
}

std::vector<double> WallTimes(const std::vector<Seconds>& times) {
  std::vector<double> values;
  values.reserve(times.size());
  for (const Seconds& time : times) values.push_back(time.wall);
  return values;
}

double Paired::ProcessorRatio() const {
  return Median(ProcessorTimes(second)) / Median(ProcessorTimes(first));
}

double Paired::WallRatio() const {
  return Median(WallTimes(second)) / Median(WallTimes(first));
}

double Paired::RatioByRound() const {
  std::vector<double> ratios;
  ratios.reserve(first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    ratios.push_back(second[i].processor / first[i].processor);
  }
  return Median(std::move(ratios));
}

Paired TimeInTurn(int rounds, const std::function<void()>& first,
                  const std::function<void()>& second) {
  Paired paired;
  for (int round = 0; round < rounds; ++round) {
    const bool swapped = round % 2 == 1;
    if (swapped) paired.second.push_back(TimeOf(second));
    paired.first.push_back(TimeOf(first));
    if (!swapped) paired.second.push_back(TimeOf(second));
  }
  return paired;
}

}  // namespace stagecoach

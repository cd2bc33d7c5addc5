#pragma once

#include <functional>
#include <vector>

namespace stagecoach {

double Median(std::vector<double> values);

// Seconds of this process' processors, all threads. Other programs on the
// machine disturb it less than they disturb the clock on the wall.
double ProcessorSeconds();
double WallSeconds();

struct Seconds {
  double processor = 0;
  double wall = 0;
};

Seconds TimeOf(const std::function<void()>& work);

// Runs both in turn, `rounds` times, each first in every other round. What
// disturbs a round disturbs both.
struct Paired {
  std::vector<Seconds> first;
  std::vector<Seconds> second;

  // Median of the second's times by the median of the first's: above 1 where
  // the first is faster.
  double ProcessorRatio() const;
  double WallRatio() const;

  // Median of the ratios of processor time round by round: steadier where the
  // machine is now faster, now slower.
  double RatioByRound() const;
};
Paired TimeInTurn(int rounds, const std::function<void()>& first,
                  const std::function<void()>& second);

std::vector<double> ProcessorTimes(const std::vector<Seconds>& times);
std::vector<double> WallTimes(const std::vector<Seconds>& times);

}  // namespace stagecoach

#include <ATen/Parallel.h>

#include <cstdio>

#include "core/base/allocator.h"
#include "gtest/gtest.h"
#include "tests/bench/measure.h"
#include "tests/bench/plain_resnet.h"
#include "tests/bench/step.h"
#include "tests/worker/model/placed_models.h"

// The product's training step against LibTorch's plain loop on the same heap,
// one thread, batches of 128 images of 3 x 32 x 32.
namespace stagecoach {
namespace {

constexpr int64_t kSamples = 128;
constexpr int64_t kClasses = 10;
constexpr double kRate = 0.01;

struct Case {
  int64_t depth;
  int rounds;
};

Model Resnet(int64_t depth) {
  return PlacedZooModel("resnet", {{"depth", depth}, {"classes", kClasses}},
                        {3, 32, 32});
}

class StepBench : public testing::TestWithParam<Case> {};

TEST_P(StepBench, TrainsAtLeastAsFastAsThePlainLoop) {
  at::set_num_threads(1);
  const Model model = Resnet(GetParam().depth);
  const Batch batch = SyntheticBatch(kSamples, model.input(), kClasses);
  OwnStep own(model);
  PlainResnet plain({.depth = GetParam().depth, .classes = kClasses});
  const auto train_own = [&] { own.Train(batch, kRate); };
  const auto train_plain = [&] {
    plain.Train(batch.images, batch.targets, kRate);
  };
  TimeInTurn(/*rounds=*/2, train_own, train_plain);
  BackHeapByHugePages();

  const Paired times = TimeInTurn(GetParam().rounds, train_own, train_plain);

  const double own_step = Median(ProcessorTimes(times.first));
  const double plain_step = Median(ProcessorTimes(times.second));
  std::printf(
      "resnet-%ld: %.1f ms a step (%.0f images/s), plain loop %.1f ms "
      "(%.0f images/s); ratio %.3f by processor time, %.3f round by round, "
      "%.3f by the wall\n",
      static_cast<long>(GetParam().depth), 1e3 * own_step, kSamples / own_step,
      1e3 * plain_step, kSamples / plain_step, times.ProcessorRatio(),
      times.RatioByRound(), times.WallRatio());
  EXPECT_GE(times.ProcessorRatio(), 0.97);
}

INSTANTIATE_TEST_SUITE_P(Depths, StepBench,
                         testing::Values(Case{20, 24}, Case{56, 12}),
                         [](const auto& info) {
                           return "ResNet" + std::to_string(info.param.depth);
                         });

TEST(UnitCostBench, AddsUpToTheWholeStep) {
  at::set_num_threads(1);
  const Model model = Resnet(20);
  const Batch batch = SyntheticBatch(kSamples, model.input(), kClasses);
  OwnStep own(model);
  own.Train(batch, kRate);

  const std::vector<UnitCost> units = MeasureUnits(model, kSamples, 7);
  std::vector<Seconds> steps;
  for (int i = 0; i < 7; ++i) {
    steps.push_back(TimeOf([&] { own.Train(batch, kRate); }));
  }

  double training = 0;
  std::printf("%-8s %12s %16s\n", "unit", "forward ms", "fwd+backward ms");
  for (const UnitCost& unit : units) {
    std::printf("%-8s %12.2f %16.2f\n", unit.name.c_str(), 1e3 * unit.forward,
                1e3 * unit.training);
    training += unit.training;
  }
  const double step = Median(ProcessorTimes(steps));
  const size_t cut = BestCut(units);
  const StageCosts costs = CostsAtCut(units, cut);
  std::printf(
      "sum of units %.1f ms, whole step %.1f ms; two stages of dsp cut before "
      "%s: %.1f and %.1f ms, at best %.2f times one stage\n",
      1e3 * training, 1e3 * step, units[cut].name.c_str(), 1e3 * costs.lower,
      1e3 * costs.upper, step / costs.busier());
  EXPECT_NEAR(training / step, 1, 0.15);
}

}  // namespace
}  // namespace stagecoach

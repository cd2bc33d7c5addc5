#include <ATen/Parallel.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/base/allocator.h"
#include "core/job/value.h"
#include "gtest/gtest.h"
#include "tests/bench/image_files.h"
#include "tests/bench/measure.h"
#include "tests/bench/one_stage.h"
#include "tests/bench/plain_resnet.h"
#include "tests/bench/step.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_process.h"

// What the pipeline costs and what it gains: batches of 128 images of
// 3 x 32 x 32, one thread a worker, SGD with momentum.
namespace stagecoach {
namespace {

constexpr int64_t kSamples = 128;
constexpr int64_t kClasses = 10;
constexpr double kRate = 0.01;

// Two busy processors disturb each other: two programs that have nothing to do
// with one another reach this share of twice the speed.
constexpr double kBothBusy = 0.94;

struct Case {
  int64_t depth;
  int rounds;     // of one stage and the plain loop
  int64_t items;  // of a run on two stages
};

class PipelineBench : public testing::TestWithParam<Case> {
 protected:
  PipelineBench() { at::set_num_threads(1); }
};

TEST_P(PipelineBench, OneStageTrainsAsFastAsThePlainLoop) {
  OneStage stage(GetParam().depth, kSamples);
  PlainResnet plain({.depth = GetParam().depth,
                     .classes = kClasses,
                     .channels_last = stage.job().channels_last});
  const Batch batch =
      SyntheticBatch(kSamples, stage.job().model.input(), kClasses);
  const auto train_stage = [&] { stage.TrainOne(); };
  const auto train_plain = [&] {
    plain.Train(batch.images, batch.targets, kRate);
  };
  TimeInTurn(/*rounds=*/2, train_stage, train_plain);
  BackHeapByHugePages();

  const Paired times = TimeInTurn(GetParam().rounds, train_stage, train_plain);

  std::printf(
      "resnet-%ld: one stage %.1f ms an item, plain loop %.1f ms; ratio %.3f "
      "by processor time, %.3f round by round, %.3f by the wall\n",
      static_cast<long>(GetParam().depth),
      1e3 * Median(ProcessorTimes(times.first)),
      1e3 * Median(ProcessorTimes(times.second)), times.ProcessorRatio(),
      times.RatioByRound(), times.WallRatio());
  EXPECT_GE(times.ProcessorRatio(), 0.97);
}

// The job on two worker processes, cut before unit `cut`.
std::string TwoStagesYaml(int64_t depth, const std::string& data, size_t cut) {
  return absl::StrCat("name: bench\nmodel: {resnet: {depth: ", depth,
                      "}}\ndata: {idx: {path: ", data,
                      "}, batch_size: ", kSamples,
                      "}\nmethod: dsp\nstages: 2\npartition: {cuts: [", cut,
                      "]}\noptimizer: {sgd: {momentum: 0.9, weight_decay: "
                      "5e-4}}\nlearning_rate: {base: ",
                      kRate, "}\nepochs: 1\nevaluate: {every: never}\n");
}

// Runs it with the programs that users run; seconds per item once the pipeline
// is full.
double RunTwoStages(const std::filesystem::path& folder,
                    const std::string& job) {
  TestProcess local(
      {.command = {(ProgramDir() / "stagecoach").string(), "local", job,
                   absl::StrCat("--state=", (folder / "state").string()),
                   "--output=json"}});
  EXPECT_EQ(local.AwaitExit(absl::Minutes(20)), 0) << local.err();
  std::filesystem::remove_all(folder / "state");
  const Value result = Value::parse(local.out(), nullptr, false);
  return kSamples / result.at("samples_per_second").get<double>();
}

// What the machine can do at a moment: it is now faster, now slower.
struct Moment {
  double one = 0;  // seconds per item on one stage
  std::vector<UnitCost> units;
};

Moment MeasureMoment(OneStage& stage) {
  constexpr int kRounds = 3;
  std::vector<Seconds> items;
  for (int i = 0; i < kRounds; ++i) {
    items.push_back(TimeOf([&] { stage.TrainOne(); }));
  }
  return {.one = Median(ProcessorTimes(items)),
          .units = MeasureUnits(stage.job().model, kSamples, kRounds)};
}

// The share of the possible speed that one run reached, between two moments.
double Reached(const Moment& before, const Moment& after, size_t cut,
               double two) {
  const double one = (before.one + after.one) / 2;
  const double busier = (CostsAtCut(before.units, cut).busier() +
                         CostsAtCut(after.units, cut).busier()) /
                        2;
  const double possible = kBothBusy * one / busier;
  std::printf(
      "  one stage %.1f ms an item, the busier of two by its layers %.1f ms, "
      "two stages %.1f ms: %.3f times as fast of %.3f possible, ratio %.3f\n",
      1e3 * one, 1e3 * busier, 1e3 * two, one / two, possible,
      one / two / possible);
  std::fflush(stdout);
  return one / two / possible;
}

TEST_P(PipelineBench, TwoStagesTrainAsFastAsTheirCostsAllow) {
  constexpr int kRuns = 5;
  const TempFolder folder;
  WriteImageFiles(folder.path(), kSamples * GetParam().items, /*test=*/1);
  OneStage stage(GetParam().depth, kSamples);
  stage.TrainOne();
  Moment before = MeasureMoment(stage);
  const size_t cut = BestCut(before.units);
  const std::string job = (folder.path() / "job.yaml").string();
  std::ofstream(job) << TwoStagesYaml(GetParam().depth, folder.path().string(),
                                      cut);
  std::vector<double> ratios;
  for (int run = 0; run < kRuns; ++run) {
    const double two = RunTwoStages(folder.path(), job);
    Moment after = MeasureMoment(stage);
    ratios.push_back(Reached(before, after, cut, two));
    before = std::move(after);
  }

  std::printf("resnet-%ld: two stages cut before unit %zu, ratio %.3f\n",
              static_cast<long>(GetParam().depth), cut, Median(ratios));
  EXPECT_GE(Median(ratios), 0.95);
}

INSTANTIATE_TEST_SUITE_P(Depths, PipelineBench,
                         testing::Values(Case{20, 24, 80}, Case{56, 12, 40}),
                         [](const auto& info) {
                           return "ResNet" + std::to_string(info.param.depth);
                         });

}  // namespace
}  // namespace stagecoach

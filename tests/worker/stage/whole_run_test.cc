#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_data_source.h"
#include "tests/oracle/delays.h"
#include "tests/support/small_job.h"
#include "tests/support/status_matchers.h"
#include "worker/in_process_run.h"
#include "worker/stage/torch_stage.h"

namespace stagecoach {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::SizeIs;

InProcessOptions OptionsOf(const SmallJob& job) {
  return {.job = Resolved(job),
          .data = std::make_shared<FakeDataSource>(SmallFacts()),
          .timeout = absl::Minutes(1)};
}

absl::StatusOr<InProcessResult> Train(const InProcessOptions& options) {
  TorchStageFactory factory;
  return RunInProcess(factory, options);
}

// The staleness of all updates of each stage.
std::vector<std::vector<int64_t>> StalenessOf(const InProcessResult& result) {
  std::vector<std::vector<int64_t>> all;
  for (const auto& updates : result.updates) {
    all.emplace_back();
    for (const UpdateRecord& update : updates) {
      all.back().push_back(update.staleness);
    }
  }
  return all;
}

// Every way to cut so many units: into two stages, three, up to one a unit.
std::vector<std::vector<int64_t>> AllCuts(int64_t units) {
  std::vector<std::vector<int64_t>> all;
  for (unsigned chosen = 1; chosen < 1u << (units - 1); ++chosen) {
    all.emplace_back();
    for (int64_t unit = 1; unit < units; ++unit) {
      if ((chosen >> (unit - 1) & 1) != 0) all.back().push_back(unit);
    }
  }
  return all;
}

TEST(InProcessRunTest, BpGivesTheSameBitsForEveryCut) {
  for (const auto model : {&SmallMlp, &SmallResNet}) {
    SC_ASSERT_OK_AND_ASSIGN(const InProcessResult one,
                            Train(OptionsOf(model({}, {}))));
    for (const std::vector<int64_t>& cuts : AllCuts(one.stages[0].end_unit)) {
      SC_ASSERT_OK_AND_ASSIGN(const InProcessResult several,
                              Train(OptionsOf(model(cuts, {}))));
      EXPECT_EQ(several.digest_lines, one.digest_lines)
          << testing::PrintToString(cuts);
      EXPECT_EQ(several.evaluations, one.evaluations);
    }
  }
}

TEST(InProcessRunTest, TheStalenessOfItemJIsTheSmallerOfJAndM) {
  for (const std::vector<int64_t>& staleness :
       std::vector<std::vector<int64_t>>{
           {0, 0, 0}, {1, 0, 0}, {2, 2, 0}, {4, 2, 0}, {7, 1, 0}, {20, 3, 0}}) {
    SC_ASSERT_OK_AND_ASSIGN(const InProcessResult result,
                            Train(OptionsOf(SmallMlp({1, 2}, staleness))));

    const auto measured = StalenessOf(result);
    ASSERT_THAT(measured, SizeIs(3));
    for (size_t stage = 0; stage < 3; ++stage) {
      ASSERT_THAT(measured[stage], SizeIs(12));
      for (int64_t item = 0; item < 12; ++item) {
        EXPECT_EQ(measured[stage][static_cast<size_t>(item)],
                  std::min(item, staleness[stage]));
      }
      EXPECT_EQ(result.stages[stage].stored_inputs_peak,
                std::min<int64_t>(staleness[stage] + 1, 12));
      EXPECT_EQ(result.stages[stage].staleness.violations, 0);
    }
  }
}

TEST(InProcessRunTest, StalenessChangesTheBitsButNotWithOneStage) {
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult fresh,
                          Train(OptionsOf(SmallMlp({2}, {0, 0}))));
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult stale,
                          Train(OptionsOf(SmallMlp({2}, {2, 0}))));
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult alone,
                          Train(OptionsOf(SmallMlp({}, {0}))));
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult bp,
                          Train(OptionsOf(SmallMlp({}))));

  EXPECT_NE(stale.weights_digest, fresh.weights_digest);
  EXPECT_EQ(fresh.weights_digest, alone.weights_digest);
  EXPECT_EQ(alone.weights_digest, bp.weights_digest);
}

TEST(InProcessRunTest, EvaluatesEveryEpochAllTestSamplesAtTheCut) {
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult result,
                          Train(OptionsOf(SmallResNet({1, 3}, {4, 2, 0}))));

  EXPECT_THAT(result.evaluations, ElementsAre(Field(&Evaluation::version, 6),
                                              Field(&Evaluation::version, 12)));
  EXPECT_THAT(result.evaluations, Each(Field(&Evaluation::samples, 20)));
}

TEST(InProcessRunTest, EvaluationLeavesTheTrajectoryAlone) {
  for (const SmallJob& job : {SmallMlp({1, 3}, {4, 2, 0}),
                              SmallResNet({2}, {2, 0}), SmallResNet({1})}) {
    InProcessOptions options = OptionsOf(job);
    SC_ASSERT_OK_AND_ASSIGN(const InProcessResult with, Train(options));
    options.evaluate = false;
    SC_ASSERT_OK_AND_ASSIGN(const InProcessResult without, Train(options));

    EXPECT_THAT(without.evaluations, SizeIs(0));
    EXPECT_EQ(with.digest_lines, without.digest_lines);
  }
}

TEST(InProcessRunTest, TimingDoesNotChangeTheBits) {
  InProcessOptions options = OptionsOf(SmallResNet({1, 3}, {4, 2, 0}));
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult undisturbed, Train(options));
  for (const uint32_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::vector<std::unique_ptr<DelayingObserver>> observers;
    options.observer = [&](StageIndex stage) {
      observers.push_back(std::make_unique<DelayingObserver>(
          seed * 16 + static_cast<uint32_t>(stage.value())));
      return observers.back().get();
    };
    options.wrap_link = [&](StageIndex lower, bool lower_end,
                            std::unique_ptr<Link> link) {
      return WithDelays(
          std::move(link),
          seed * 64 + static_cast<uint32_t>(lower.value() * 2 + lower_end));
    };

    SC_ASSERT_OK_AND_ASSIGN(const InProcessResult delayed, Train(options));

    EXPECT_EQ(delayed.digest_lines, undisturbed.digest_lines);
    EXPECT_EQ(delayed.evaluations, undisturbed.evaluations);
    EXPECT_EQ(StalenessOf(delayed), StalenessOf(undisturbed));
  }
}

TEST(InProcessRunTest, FiguresAddUpToTheWholeJob) {
  SC_ASSERT_OK_AND_ASSIGN(const InProcessResult result,
                          Train(OptionsOf(SmallMlp({2}, {2, 0}))));

  EXPECT_EQ(result.training.samples, 88);
  EXPECT_GT(result.training.samples_per_second, 0);
  EXPECT_GT(result.training.epoch_loss, 0);
  EXPECT_EQ(result.stages[0].parameters, 192 * 16 + 16 + 16 * 12 + 12);
  EXPECT_EQ(result.stages[1].parameters, 12 * 8 + 8 + 8 * 4 + 4);
}

TEST(InProcessRunTest, SaysWhichItemIsNotFinite) {
  SmallJob job = SmallMlp({2}, {2, 0});
  job.learning_rate = 1e6;

  EXPECT_THAT(Train(OptionsOf(job)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("item")));
}

}  // namespace
}  // namespace stagecoach

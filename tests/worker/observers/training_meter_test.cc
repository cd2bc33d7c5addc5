#include "worker/observers/training_meter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/small_job.h"

namespace stagecoach {
namespace {

// Twelve items of 8, 8, 8, 8, 8, 4 samples and the same again; evaluated after
// items 5 and 11; m_0 = 2.
class TrainingMeterTest : public testing::Test {
 protected:
  static constexpr absl::Duration kOrigin = absl::Seconds(100);

  void Update(int64_t item, absl::Duration at, double loss = 1,
              int64_t correct = 2) {
    const int64_t samples = item % 6 == 5 ? 4 : 8;
    meter_.OnUpdate({.item = ItemId(item),
                     .samples = samples,
                     .loss_sum = loss * static_cast<double>(samples),
                     .correct = correct},
                    kOrigin + at);
  }
  TrainingFigures At(absl::Duration at) const {
    return meter_.Figures(kOrigin + at);
  }

  const std::shared_ptr<const ResolvedJob> job_ =
      Resolved(SmallMlp({1}, {2, 0}));
  TrainingMeter meter_{*job_};
};

TEST_F(TrainingMeterTest, StartsWithTheFirstPass) {
  EXPECT_EQ(At(absl::Seconds(7)), TrainingFigures());

  meter_.OnPassBegin(kOrigin + absl::Seconds(7));

  EXPECT_EQ(At(absl::Seconds(10)).training_seconds, 3);
}

TEST_F(TrainingMeterTest, LossAndAccuracyAreMeansOverTheEpochSoFar) {
  meter_.OnPassBegin(kOrigin);
  Update(0, absl::Seconds(1), /*loss=*/3, /*correct=*/0);
  Update(1, absl::Seconds(2), /*loss=*/2, /*correct=*/4);

  const TrainingFigures figures = At(absl::Seconds(2));

  EXPECT_EQ(figures.samples, 16);
  EXPECT_DOUBLE_EQ(figures.epoch_loss, 2.5);
  EXPECT_DOUBLE_EQ(figures.last_loss, 2);
  EXPECT_DOUBLE_EQ(figures.accuracy, 0.25);
}

TEST_F(TrainingMeterTest, AnEpochBeginsAnew) {
  meter_.OnPassBegin(kOrigin);
  for (int64_t item = 0; item < 6; ++item) Update(item, absl::Seconds(1), 9);
  EXPECT_DOUBLE_EQ(At(absl::Seconds(1)).epoch_loss, 9);

  Update(6, absl::Seconds(2), 5, 4);

  EXPECT_DOUBLE_EQ(At(absl::Seconds(2)).epoch_loss, 5);
  EXPECT_DOUBLE_EQ(At(absl::Seconds(2)).accuracy, 0.5);
  EXPECT_EQ(At(absl::Seconds(2)).samples, 52);
}

TEST_F(TrainingMeterTest, EvaluationIsNoTraining) {
  meter_.OnPassBegin(kOrigin);
  Update(5, absl::Seconds(6));
  EXPECT_EQ(At(absl::Seconds(20)).training_seconds, 6);

  meter_.OnEvaluation(kOrigin + absl::Seconds(26));

  EXPECT_EQ(At(absl::Seconds(27)).training_seconds, 7);
}

TEST_F(TrainingMeterTest, TheRateLeavesOutFillDrainAndEvaluation) {
  meter_.OnPassBegin(kOrigin);
  Update(0, absl::Seconds(50));
  Update(1, absl::Seconds(60));
  EXPECT_DOUBLE_EQ(At(absl::Seconds(60)).samples_per_second, 16 / 60.0);
  // Items 3 to 9 take a second each, an evaluation of 30 s among them; then the
  // pipeline drains slowly.
  for (int64_t item = 2; item < 6; ++item)
    Update(item, absl::Seconds(60 + item));
  meter_.OnEvaluation(kOrigin + absl::Seconds(95));
  for (int64_t item = 6; item < 10; ++item) {
    Update(item, absl::Seconds(90 + item));
  }
  Update(10, absl::Seconds(200));
  Update(11, absl::Seconds(300));

  // Six items of 8 samples and one of 4 in 7 seconds.
  EXPECT_DOUBLE_EQ(At(absl::Seconds(400)).samples_per_second, 52 / 7.0);
}

}  // namespace
}  // namespace stagecoach

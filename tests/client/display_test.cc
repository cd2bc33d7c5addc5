#include "client/display.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ResultOf;

const absl::Time kStart = absl::FromUnixSeconds(1'700'000'000);

StageStatus Lower() {
  return {.stage = StageIndex(0),
          .worker = WorkerName("worker-0"),
          .first_unit = 0,
          .end_unit = 6,
          .version = 578,
          .staleness = {.minimum = 0, .maximum = 2, .last = 2, .after_fill = 2},
          .busy = 0.97,
          .waiting_gradient = 0.02,
          .waiting_credit = 0.01};
}

StageStatus Upper() {
  return {.stage = StageIndex(1),
          .worker = WorkerName("worker-1"),
          .first_unit = 6,
          .end_unit = 11,
          .version = 580,
          .busy = 0.85,
          .waiting_input = 0.15};
}

JobStatus Running() {
  return {.id = JobId("job-1"),
          .name = "fashion-dsp",
          .state = JobState::kRunning,
          .submitted = kStart,
          .started = kStart,
          .finished = absl::InfinitePast(),
          .step = 580,
          .steps = 1160,
          .steps_per_epoch = 464,
          .training = {.samples = 74'240,
                       .epoch_loss = 0.3125,
                       .accuracy = 0.8875,
                       .samples_per_second = 530.25,
                       .training_seconds = 140},
          .stages = {Lower(), Upper()}};
}

TEST(DisplayTest, DrawsProgressAndARowPerStage) {
  EXPECT_THAT(
      StatusBlock(Running(), kStart + absl::Seconds(145), {}),
      ElementsAre(
          "fashion-dsp  job-1  running                                         "
          "       02:25",
          "[#################-----------------] 50 %  epoch 2/2  step 580/1160 "
          " ETA 02:20",
          "loss 0.3125  accuracy 88.75 %  530.2 images/s",
          "stage worker      units   version  busy waits for     staleness",
          "    0 worker-0    0..5        578  97 % gradient 2 %  0..2, exactly "
          "2 "
          "after fill",
          "    1 worker-1    6..10       580  85 % input 15 %    0"));
}

TEST(DisplayTest, KeepsEveryLineWithinTheWidth) {
  JobStatus job = Running();
  job.name = std::string(200, 'x');
  job.reason = std::string(200, 'y');
  job.stages[0].worker = WorkerName(std::string(200, 'z'));

  EXPECT_THAT(StatusBlock(job, kStart, {}),
              Each(ResultOf([](const std::string& line) { return line.size(); },
                            testing::Le(80u))));
}

TEST(DisplayTest, ShortensTheBarBeforeTheFigures) {
  JobStatus job = Running();
  job.step = 580'000;
  job.steps = 1'160'000;

  EXPECT_EQ(StatusBlock(job, kStart, {})[1],
            "[############------------] 50 %  epoch 1251/2500  step "
            "580000/1160000  ETA 02:20");
  EXPECT_EQ(StatusBlock(job, kStart, {.width = 40})[1],
            "[#####-----] 50 %  epoch 1251/2500  ste~");
}

TEST(DisplayTest, SaysWhyAJobWaits) {
  const JobStatus job{.id = JobId("job-2"),
                      .name = "mlp",
                      .state = JobState::kQueued,
                      .reason = "needs 2 free slots, 1 is there",
                      .started = absl::InfinitePast()};

  EXPECT_THAT(
      StatusBlock(job, kStart, {}),
      ElementsAre(HasSubstr("queued"), "needs 2 free slots, 1 is there"));
  EXPECT_EQ(StatusLine(job, kStart),
            "job-2 queued: needs 2 free slots, 1 is there");
}

TEST(DisplayTest, ColoursTheStateOnRequestOnly) {
  const Look coloured{.colours = true};

  EXPECT_THAT(StatusBlock(Running(), kStart, coloured)[0],
              HasSubstr("\x1b[36mrunning\x1b[0m"));
  EXPECT_THAT(StatusBlock(Running(), kStart, {}),
              Each(testing::Not(HasSubstr("\x1b"))));
}

TEST(DisplayTest, SaysEverythingInOneLineForLogs) {
  EXPECT_EQ(
      StatusLine(Running(), kStart + absl::Seconds(145)),
      "job-1 02:25 running  epoch 2/2  step 580/1160  loss 0.3125  "
      "accuracy 88.75 %  530.2 images/s  stages: 0 busy 97 % staleness 2, "
      "1 busy 85 % staleness 0");
}

TEST(DisplayTest, SummarisesAJobThatSucceeded) {
  JobStatus job = Running();
  job.state = JobState::kSucceeded;
  job.finished = kStart + absl::Seconds(300);
  job.last_evaluation = Evaluation{
      .version = 1160, .loss = 0.4, .accuracy = 0.8712, .samples = 10'000};
  job.recoveries = 1;
  job.weights_digest = "7aa2";

  EXPECT_THAT(
      Summary(job, {}),
      ElementsAre("job-1 succeeded after 300.0 s, 530.2 images/s",
                  "test accuracy 87.12 %, test loss 0.4000 at step 1160",
                  "stage 0 on worker-0: units 0..5, staleness 0..2, exactly 2 "
                  "after fill, busy 97 %",
                  "stage 1 on worker-1: units 6..10, staleness 0, busy 85 %",
                  "recoveries 1", "weights_digest 7aa2"));
}

TEST(DisplayTest, SummarisesWhyAJobFailed) {
  const JobStatus job{
      .id = JobId("job-1"),
      .state = JobState::kFailed,
      .cause = Cause{.kind = "non_finite", .text = "loss of item 7 is NaN"},
      .started = kStart,
      .finished = kStart + absl::Seconds(1)};

  EXPECT_THAT(Summary(job, {}),
              ElementsAre("job-1 failed after 1.0 s, 0.0 images/s",
                          "cause: non_finite: loss of item 7 is NaN"));
}

TEST(DisplayTest, NeverHidesABrokenPromiseOfStaleness) {
  EXPECT_EQ(StalenessText(
                {.minimum = 0, .maximum = 3, .after_fill = 2, .violations = 4}),
            "BROKEN 4 times: 0..3, not 2");
}

TEST(DisplayTest, KnowsTheTimeLeftOnceTrainingHasBegun) {
  JobStatus job = Running();
  EXPECT_EQ(TimeLeft(job), absl::Seconds(140));

  job.step = 0;
  EXPECT_EQ(TimeLeft(job), absl::InfiniteDuration());
}

}  // namespace
}  // namespace stagecoach

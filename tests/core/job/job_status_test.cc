#include "core/job/job_status.h"

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

JobStatus Finished() {
  JobStatus status;
  status.id = JobId("job-3");
  status.state = JobState::kSucceeded;
  status.submitted = absl::FromUnixSeconds(100);
  status.started = absl::FromUnixSeconds(110);
  status.finished = absl::FromUnixSeconds(150);
  status.step = 900;
  status.steps = 900;
  status.steps_per_epoch = 300;
  status.last_evaluation = {.version = 900, .loss = 0.5, .accuracy = 0.75};
  status.best_evaluation = {.version = 600, .loss = 0.4, .accuracy = 0.8};
  status.stages = {{.stage = StageIndex(0),
                    .worker = WorkerName("left"),
                    .first_unit = 0,
                    .end_unit = 4,
                    .staleness = {.minimum = 0, .maximum = 2}}};
  return status;
}

TEST(JobStatusTest, NamesTheStatesAsUsersSeeThem) {
  EXPECT_EQ(NameOf(JobState::kQueued), "queued");
  EXPECT_EQ(NameOf(JobState::kRecovering), "recovering");
}

TEST(JobStatusTest, OnlyTheLastThreeStatesAreFinal) {
  EXPECT_FALSE(IsFinal(JobState::kQueued));
  EXPECT_FALSE(IsFinal(JobState::kStarting));
  EXPECT_FALSE(IsFinal(JobState::kRunning));
  EXPECT_FALSE(IsFinal(JobState::kRecovering));
  EXPECT_TRUE(IsFinal(JobState::kSucceeded));
  EXPECT_TRUE(IsFinal(JobState::kFailed));
  EXPECT_TRUE(IsFinal(JobState::kCancelled));
}

TEST(JobStatusTest, ResultGivesTheFiguresOfAFinishedJob) {
  const Value result = ResultValue(Finished());

  EXPECT_EQ(result["state"], "succeeded");
  EXPECT_EQ(result["cause"], nullptr);
  EXPECT_EQ(result["steps"], 900);
  EXPECT_EQ(result["epochs"].dump(), "3");
  EXPECT_EQ(result["seconds"], 40.0);
  EXPECT_EQ(result["evaluation"]["last"]["accuracy"], 0.75);
  EXPECT_EQ(result["evaluation"]["best"]["step"], 600);
  EXPECT_EQ(result["stages"][0]["worker"], "left");
  EXPECT_EQ(result["stages"][0]["layers"]["last"], 3);
  EXPECT_EQ(result["stages"][0]["staleness"]["max"], 2);
}

TEST(JobStatusTest, ResultOfAFailedJobNamesTheCause) {
  JobStatus status = Finished();
  status.state = JobState::kFailed;
  status.step = 450;
  status.cause = {.kind = "non_finite", .stage = 1, .text = "loss is nan"};

  const Value result = ResultValue(status);

  EXPECT_EQ(result["epochs"], 1.5);
  EXPECT_EQ(result["cause"]["kind"], "non_finite");
  EXPECT_EQ(result["cause"]["stage"], 1);
  EXPECT_EQ(result["cause"]["item"], nullptr);
}

TEST(JobStatusTest, ResultOfAJobThatNeverRanHasNoDuration) {
  const Value result = ResultValue(JobStatus());

  EXPECT_EQ(result["seconds"], nullptr);
  EXPECT_EQ(result["epochs"], 0);
  EXPECT_EQ(result["evaluation"]["best"], nullptr);
}

}  // namespace
}  // namespace stagecoach

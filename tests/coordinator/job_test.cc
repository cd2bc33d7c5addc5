#include "coordinator/job.h"

#include <array>
#include <string>

#include "core/digest/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

constexpr std::array kStates = {JobState::kQueued,    JobState::kStarting,
                                JobState::kRunning,   JobState::kRecovering,
                                JobState::kSucceeded, JobState::kFailed,
                                JobState::kCancelled};

const absl::Time kNow = absl::FromUnixSeconds(1'000);

Job SubmittedJob() {
  JobSpec spec;
  spec.name = "small";
  return Job::Submitted(/*number=*/7, /*key=*/"key", spec, kNow);
}

// A job of two stages that trains.
Job RunningJob() {
  Job job = SubmittedJob();
  job.Enter(JobState::kStarting, "", kNow);
  job.Begin({});
  const Plan plan;
  job.SetPlan(plan, {{.stage = StageIndex(0)}, {.stage = StageIndex(1)}},
              /*steps=*/20, /*steps_per_epoch=*/10, "build");
  job.Enter(JobState::kRunning, "", kNow);
  job.TakeMutation();
  return job;
}

TEST(JobTest, NothingFollowsAnEnd) {
  for (const JobState from : kStates) {
    for (const JobState to : kStates) {
      if (IsFinal(from)) {
        EXPECT_FALSE(MayFollow(from, to)) << NameOf(from) << NameOf(to);
      }
    }
  }
}

TEST(JobTest, CanFailOrBeCancelledFromEveryOtherState) {
  for (const JobState from : kStates) {
    EXPECT_EQ(MayFollow(from, JobState::kFailed), !IsFinal(from));
    EXPECT_EQ(MayFollow(from, JobState::kCancelled), !IsFinal(from));
  }
}

TEST(JobTest, SucceedsOnlyFromRunning) {
  for (const JobState from : kStates) {
    EXPECT_EQ(MayFollow(from, JobState::kSucceeded),
              from == JobState::kRunning);
  }
}

TEST(JobTest, RecoversOnlyOnceItHasWorkers) {
  EXPECT_FALSE(MayFollow(JobState::kQueued, JobState::kRecovering));
  EXPECT_TRUE(MayFollow(JobState::kStarting, JobState::kRecovering));
  EXPECT_TRUE(MayFollow(JobState::kRunning, JobState::kRecovering));
  EXPECT_TRUE(MayFollow(JobState::kRecovering, JobState::kRunning));
}

TEST(JobTest, IsNamedByItsNumberAndQueued) {
  const Job job = SubmittedJob();

  EXPECT_EQ(job.id(), JobId("job-7"));
  EXPECT_EQ(job.status().state, JobState::kQueued);
  EXPECT_EQ(job.status().submitted, kNow);
  EXPECT_EQ(job.status().spec_digest.size(), 64u);
}

TEST(JobTest, NumbersItsEventsWithoutAGap) {
  Job job = SubmittedJob();
  job.AddEvent("log", "first", kNow);
  const Mutation one = job.TakeMutation();
  job.AddEvent("log", "second\nline", kNow);
  const Mutation two = job.TakeMutation();

  EXPECT_THAT(one.events, ElementsAre(Field(&JobEvent::sequence, 1),
                                      Field(&JobEvent::sequence, 2)));
  EXPECT_THAT(two.events,
              ElementsAre(testing::AllOf(
                  Field(&JobEvent::sequence, 3),
                  Field(&JobEvent::text, std::string("second line")))));
  EXPECT_EQ(two.record->last_event, 3);
}

TEST(JobTest, KeepsTheTimesOfItsLife) {
  Job job = SubmittedJob();
  job.Enter(JobState::kStarting, "", kNow + absl::Seconds(1));
  job.Enter(JobState::kRunning, "", kNow + absl::Seconds(2));
  job.Enter(JobState::kSucceeded, "", kNow + absl::Seconds(9));

  EXPECT_EQ(job.status().started, kNow + absl::Seconds(1));
  EXPECT_EQ(job.status().finished, kNow + absl::Seconds(9));
}

TEST(JobTest, TakesItsStepAndFiguresFromTheLastStage) {
  Job job = RunningJob();
  job.Progress({.stage = StageIndex(0), .version = 5}, {.samples = 1});
  EXPECT_EQ(job.status().step, 0);

  job.Progress({.stage = StageIndex(1), .version = 4}, {.samples = 40});

  EXPECT_EQ(job.status().step, 4);
  EXPECT_EQ(job.status().training.samples, 40);
  EXPECT_EQ(job.status().stages[0].version, 5);
}

TEST(JobTest, IgnoresStagesThatItDoesNotHave) {
  Job job = RunningJob();

  job.Progress({.stage = StageIndex(2), .version = 5}, {});

  EXPECT_EQ(job.status().stages.size(), 2u);
}

TEST(JobTest, RemembersTheBestEvaluation) {
  Job job = RunningJob();
  job.Evaluate({.version = 10, .loss = 0.5, .accuracy = 0.9}, kNow);
  job.Evaluate({.version = 20, .loss = 0.4, .accuracy = 0.8}, kNow);

  EXPECT_EQ(job.status().last_evaluation->version, 20);
  EXPECT_EQ(job.status().best_evaluation->version, 10);
  EXPECT_THAT(job.TakeMutation().events[1].text,
              HasSubstr("step 20: loss 0.4000, accuracy 80.00 %"));
}

TEST(JobTest, TakesAnEvaluationOnce) {
  Job job = RunningJob();
  job.Evaluate({.version = 10, .loss = 0.5, .accuracy = 0.9}, kNow);
  job.TakeMutation();

  job.Evaluate({.version = 10, .loss = 0.5, .accuracy = 0.9}, kNow);

  EXPECT_TRUE(job.TakeMutation().events.empty());
}

TEST(JobTest, DigestsTheLinesInTheOrderOfStages) {
  Job job = RunningJob();
  EXPECT_FALSE(job.FinishStage(StageIndex(1), {"c\n"}));
  EXPECT_TRUE(job.HasFinished(StageIndex(1)));

  EXPECT_TRUE(job.FinishStage(StageIndex(0), {"a\n", "b\n"}));

  EXPECT_EQ(job.status().weights_digest, Sha256Hex("a\nb\nc\n"));
}

TEST(JobTest, IsNotFinishedByTheSameStageTwice) {
  Job job = RunningJob();
  job.FinishStage(StageIndex(1), {"c\n"});

  EXPECT_FALSE(job.FinishStage(StageIndex(1), {"c\n"}));
}

TEST(JobTest, BeginsAGenerationWithoutTheFiguresOfTheLast) {
  Job job = RunningJob();
  job.Progress({.stage = StageIndex(1), .version = 4}, {.samples = 40});
  job.Evaluate({.version = 10}, kNow);
  job.FinishStage(StageIndex(0), {"a"});
  job.Enter(JobState::kRecovering, "", kNow);

  job.Begin({});

  EXPECT_EQ(job.status().generation, Generation(2));
  EXPECT_EQ(job.status().step, 0);
  EXPECT_FALSE(job.status().best_evaluation.has_value());
  EXPECT_FALSE(job.HasFinished(StageIndex(0)));
}

TEST(JobTest, BoundsTheLogLinesThatItKeeps) {
  Job job = RunningJob();
  for (int line = 0; line < Job::kMaxLogLines + 5; ++line) {
    job.AddLogLine("line", kNow);
  }

  const std::vector<JobEvent> events = job.TakeMutation().events;
  EXPECT_EQ(events.size(), static_cast<size_t>(Job::kMaxLogLines) + 1);
  EXPECT_THAT(events.back().text, HasSubstr("left out"));
}

TEST(JobTest, KeepsTheNewestMovesOfEachStageOnce) {
  Job job = RunningJob();
  std::vector<std::string> moves(Job::kMaxMoves + 3, "old");
  moves.back() = "newest";

  job.AddMoves(StageIndex(1), moves, kNow);
  job.AddMoves(StageIndex(1), moves, kNow);

  const std::vector<JobEvent> events = job.TakeMutation().events;
  EXPECT_EQ(events.size(), Job::kMaxMoves);
  EXPECT_EQ(events.back().text, "stage 1: newest");
}

TEST(JobDeathTest, EndsTheProcessForATransitionThatIsNotAllowed) {
  Job job = SubmittedJob();
  EXPECT_DEATH(job.Enter(JobState::kSucceeded, "", kNow),
               "queued to succeeded");
}

}  // namespace
}  // namespace stagecoach

#include "worker/stage_runner.h"

#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "core/base/thread_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_executor.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

constexpr StepResult kMoved = {.kind = StepResult::Kind::kMoved};
constexpr StepResult kWaiting = {.kind = StepResult::Kind::kWaiting,
                                 .waiting_for = WaitReason::kInput};
constexpr StepResult kFinished = {.kind = StepResult::Kind::kFinished};

// A stage whose steps the test makes up.
class ScriptedStage final : public Stage {
 public:
  explicit ScriptedStage(std::function<absl::StatusOr<StepResult>()> step)
      : step_(std::move(step)) {}

  const LinkSpec* below() const override { return nullptr; }
  const LinkSpec* above() const override { return nullptr; }
  FrameReceiver& from_below() override { std::abort(); }
  FrameReceiver& from_above() override { std::abort(); }
  void SetWaker(std::function<void()> new_waker) override {
    waker = std::move(new_waker);
  }
  void Attach(Link* /*below*/, Link* /*above*/) override {}
  absl::StatusOr<StepResult> Step() override {
    ++steps;
    return step_();
  }
  int64_t version() const override { return 0; }
  int64_t applied() const override { return 0; }
  int64_t parameter_elements() const override { return 0; }
  int64_t peak_memory_bytes() const override { return 0; }
  absl::StatusOr<std::vector<std::string>> DigestLines() const override {
    return std::vector<std::string>();
  }

  std::function<void()> waker;
  int steps = 0;

 private:
  const std::function<absl::StatusOr<StepResult>()> step_;
};

class StageRunnerTest : public testing::Test {
 protected:
  // A runner of a stage that makes these steps and then waits for ever.
  void Run(std::vector<absl::StatusOr<StepResult>> steps) {
    stage_.emplace([this, steps = std::move(steps)] {
      const auto step = static_cast<size_t>(stage_->steps - 1);
      if (during_step) during_step();
      return step < steps.size() ? steps[step] : kWaiting;
    });
    runner_.emplace(*stage_, executor_, [this](const absl::Status& status) {
      ends_.push_back(status);
    });
  }

  std::function<void()> during_step;
  FakeClock clock_;
  FakeExecutor executor_{clock_};
  std::optional<ScriptedStage> stage_;
  std::optional<StageRunner> runner_;
  std::vector<absl::Status> ends_;
};

TEST_F(StageRunnerTest, StepsWhileTheStageMovesAndThenIdles) {
  Run({kMoved, kMoved, kMoved, kWaiting});

  runner_->Start();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 4);
  EXPECT_EQ(executor_.waiting(), 0);
  EXPECT_TRUE(ends_.empty());
}

TEST_F(StageRunnerTest, AWakeUpMakesAnIdleStageStepOnce) {
  Run({kWaiting, kWaiting});
  runner_->Start();
  executor_.RunUntilIdle();

  stage_->waker();
  stage_->waker();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 2);
}

TEST_F(StageRunnerTest, AWakeUpDuringAStepIsNotLost) {
  Run({kWaiting, kWaiting});
  during_step = [this] {
    if (stage_->steps == 1) stage_->waker();
  };

  runner_->Start();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 2);
}

TEST_F(StageRunnerTest, TakesNoStepBeforeItStarts) {
  Run({kMoved});

  stage_->waker();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 0);
}

TEST_F(StageRunnerTest, SaysOnceThatTheStageHasFinished) {
  Run({kMoved, kFinished});

  runner_->Start();
  executor_.RunUntilIdle();
  stage_->waker();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 2);
  EXPECT_THAT(ends_, testing::ElementsAre(IsOk()));
}

TEST_F(StageRunnerTest, SaysWhyTheStageFailed) {
  Run({kMoved, absl::DataLossError("not finite")});

  runner_->Start();
  executor_.RunUntilIdle();

  EXPECT_THAT(ends_, testing::ElementsAre(
                         StatusIs(absl::StatusCode::kDataLoss, "not finite")));
}

TEST_F(StageRunnerTest, NothingFollowsStop) {
  Run({kMoved, kMoved, kFinished});
  runner_->Start();
  executor_.RunOne();

  runner_->Stop();
  executor_.RunUntilIdle();
  stage_->waker();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 1);
  EXPECT_TRUE(ends_.empty());
}

TEST_F(StageRunnerTest, AStepThatRunsAtStopIsTheLastAndSaysNothing) {
  Run({kFinished});
  during_step = [this] { runner_->Stop(); };

  runner_->Start();
  executor_.RunUntilIdle();

  EXPECT_EQ(stage_->steps, 1);
  EXPECT_TRUE(ends_.empty());
}

TEST_F(StageRunnerTest, AWakeUpMayComeAfterTheRunner) {
  Run({});
  runner_.reset();

  stage_->waker();

  EXPECT_EQ(executor_.waiting(), 0);
}

TEST(StageRunnerThreadTest, NoWakeUpOfAnotherThreadIsLost) {
  constexpr int kItems = 20000;
  std::atomic<int> arrived = 0;
  int taken = 0;
  ScriptedStage stage([&]() -> absl::StatusOr<StepResult> {
    if (taken == arrived) return kWaiting;
    return ++taken == kItems ? kFinished : kMoved;
  });
  absl::Notification ended;
  ThreadExecutor executor("stage");
  StageRunner runner(stage, executor,
                     [&](const absl::Status& /*status*/) { ended.Notify(); });

  runner.Start();
  std::thread sender([&] {
    for (int i = 0; i < kItems; ++i) {
      ++arrived;
      stage.waker();
    }
  });
  sender.join();

  EXPECT_TRUE(ended.WaitForNotificationWithTimeout(absl::Seconds(30)));
}

}  // namespace
}  // namespace stagecoach

#include "worker/stage/stage_runtime.h"

#include <torch/types.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_data_source.h"
#include "tests/fakes/fake_link.h"
#include "tests/fakes/recording_observer.h"
#include "tests/support/small_job.h"
#include "tests/support/status_matchers.h"
#include "worker/stage/boundary.h"
#include "worker/stage/tensor_codec.h"
#include "worker/stage/torch_stage.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

auto IsMove() {
  return IsOkAndHolds(
      testing::Field(&StepResult::kind, StepResult::Kind::kMoved));
}

auto Waits(WaitReason reason) {
  return IsOkAndHolds(testing::AllOf(
      testing::Field(&StepResult::kind, StepResult::Kind::kWaiting),
      testing::Field(&StepResult::waiting_for, reason)));
}

std::vector<int64_t> ItemsOf(const std::vector<Frame>& frames) {
  std::vector<int64_t> items;
  for (const Frame& frame : frames) items.push_back(frame.item.value());
  return items;
}

// One stage whose neighbours are the test.
class Bench {
 public:
  Bench(const SmallJob& job, int stage) : job_(Resolved(job)) {
    TorchStageFactory factory;
    stage_ = *factory.Create(
        {.job = job_,
         .id = JobId("job-1"),
         .generation = Generation(1),
         .stage = StageIndex(stage),
         .data = stage == 0 ? std::make_shared<FakeDataSource>(SmallFacts())
                            : nullptr},
        observer);
    if (stage_->below() != nullptr) {
      below =
          std::make_unique<FakeLink>(*stage_->below(), Direction::kDownward);
    }
    if (stage_->above() != nullptr) {
      above = std::make_unique<FakeLink>(*stage_->above(), Direction::kUpward);
    }
    stage_->Attach(below.get(), above.get());
  }

  absl::StatusOr<StepResult> Step() { return stage_->Step(); }

  // Steps until the stage waits, finishes or fails.
  absl::StatusOr<StepResult> Settle() {
    while (true) {
      const absl::StatusOr<StepResult> result = Step();
      if (!result.ok() || result->kind != StepResult::Kind::kMoved) {
        return result;
      }
    }
  }

  // Plays the stage above until this one has finished.
  void AnswerToTheEnd() {
    int64_t answered = 0;
    while (true) {
      const absl::StatusOr<StepResult> result = Settle();
      ASSERT_THAT(result, IsOk());
      if (result->kind == StepResult::Kind::kFinished) return;
      for (const Frame& frame : above->TakeSent()) {
        above->GiveCredit(frame.lane);
      }
      if (result->waiting_for == WaitReason::kGradient) Gradient(answered++);
    }
  }

  // The stage below sends an item.
  void Input(int64_t item, Lane lane = Lane::kTraining, float value = 0.5) {
    const StageIndex lower(stage_->below()->lower);
    const int64_t samples = SamplesOf(*job_, lane, ItemId(item));
    const TensorType type = BoundaryType(*job_, lower, samples);
    stage_->from_below().OnFrame(
        {.lane = lane,
         .item = ItemId(item),
         .generation = Generation(1),
         .samples = samples,
         .counted = samples,
         .tensors = {ToBytes(at::full(type.shape, value), type.order),
                     ToBytes(at::zeros({samples}, torch::kInt64), {0})}});
  }

  // The stage above answers an item.
  void Gradient(int64_t item, float value = 0.01) {
    const StageIndex lower(stage_->above()->lower);
    const int64_t samples = SamplesOf(*job_, Lane::kTraining, ItemId(item));
    const TensorType type = BoundaryType(*job_, lower, samples);
    stage_->from_above().OnFrame(
        {.item = ItemId(item),
         .generation = Generation(1),
         .samples = samples,
         .counted = samples,
         .tensors = {ToBytes(at::full(type.shape, value), type.order)}});
  }

  Stage& stage() { return *stage_; }
  const ResolvedJob& job() const { return *job_; }

  RecordingObserver observer;
  std::unique_ptr<FakeLink> below;
  std::unique_ptr<FakeLink> above;

 private:
  const std::shared_ptr<const ResolvedJob> job_;
  std::unique_ptr<Stage> stage_;
};

TEST(StageRuntimeTest, ForwardsItsWindowThenWaitsForAGradient) {
  Bench bench(SmallMlp({1}, {2, 0}), 0);

  EXPECT_THAT(bench.Settle(), Waits(WaitReason::kGradient));

  EXPECT_THAT(ItemsOf(bench.above->TakeSent()), ElementsAre(0, 1, 2));
  EXPECT_THAT(bench.observer.passes,
              ElementsAre("data 0", "forward 0", "data 1", "forward 1",
                          "data 2", "forward 2", "recompute 0"));
  EXPECT_THAT(bench.observer.waits, ElementsAre(WaitReason::kGradient));
}

TEST(StageRuntimeTest, SendsActivationsWithTheirTargets) {
  Bench bench(SmallMlp({1}, {2, 0}), 0);
  ASSERT_THAT(bench.Step(), IsMove());

  const std::vector<Frame> sent = bench.above->TakeSent();

  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].samples, 8);
  EXPECT_EQ(sent[0].counted, 8);
  ASSERT_THAT(sent[0].tensors, SizeIs(2));
  EXPECT_EQ(sent[0].tensors[0].type,
            BoundaryType(bench.job(), StageIndex(0), 8));
  EXPECT_EQ(
      sent[0].tensors[1].type,
      (TensorType{.dtype = DataType::kInt64, .shape = {8}, .order = {0}}));
}

TEST(StageRuntimeTest, AGradientUpdatesAndLetsTheNextItemIn) {
  Bench bench(SmallMlp({1}, {2, 0}), 0);
  ASSERT_THAT(bench.Settle(), Waits(WaitReason::kGradient));
  bench.above->GiveCredit(Lane::kTraining);
  bench.above->TakeSent();

  bench.Gradient(0);

  EXPECT_THAT(bench.Settle(), Waits(WaitReason::kGradient));
  EXPECT_THAT(ItemsOf(bench.above->TakeSent()), ElementsAre(3));
  EXPECT_EQ(bench.stage().version(), 1);
  EXPECT_EQ(bench.above->consumed(Lane::kTraining), 1);
  ASSERT_THAT(bench.observer.updates, SizeIs(1));
  EXPECT_EQ(bench.observer.updates[0].staleness, 0);
  EXPECT_EQ(bench.observer.updates[0].stored_inputs, 3);
}

// What a window of m promises, counted at every update of a whole job.
TEST(StageRuntimeTest, KeepsNoMoreThanItsWindowAndOneAndIsStaleByItsWindow) {
  constexpr int64_t kItems = 12;
  for (const int64_t m : {0, 1, 4, 20}) {
    SCOPED_TRACE(m);
    Bench bench(SmallMlp({1}, {m, 0}), 0);

    bench.AnswerToTheEnd();

    ASSERT_THAT(bench.observer.updates, SizeIs(kItems));
    int64_t peak = 0;
    for (int64_t j = 0; j < kItems; ++j) {
      const UpdateRecord& update =
          bench.observer.updates[static_cast<size_t>(j)];
      EXPECT_EQ(update.item, ItemId(j));
      EXPECT_EQ(update.forward_version, std::max<int64_t>(0, j - m));
      EXPECT_EQ(update.backward_version, j);
      EXPECT_EQ(update.staleness, std::min(j, m));
      EXPECT_EQ(update.stored_inputs, std::min(m + 1, kItems - j));
      peak = std::max(peak, update.stored_inputs);
    }
    EXPECT_EQ(peak, std::min(m + 1, kItems));
  }
}

TEST(StageRuntimeTest, AMiddleStageWaitsForInputAndConsumesIt) {
  Bench bench(SmallMlp({1, 2}, {4, 2, 0}), 1);
  EXPECT_THAT(bench.Step(), Waits(WaitReason::kInput));

  bench.Input(0);

  EXPECT_THAT(bench.Step(), IsMove());
  EXPECT_THAT(ItemsOf(bench.above->TakeSent()), ElementsAre(0));
  EXPECT_EQ(bench.below->consumed(Lane::kTraining), 1);
}

TEST(StageRuntimeTest, SendsTheGradientDownBeforeItUpdates) {
  Bench bench(SmallMlp({1, 2}, {2, 1, 0}), 1);
  bench.Input(0);
  bench.Input(1);
  ASSERT_THAT(bench.Settle(), Waits(WaitReason::kGradient));

  bench.Gradient(0);
  ASSERT_THAT(bench.Step(), IsMove());

  const std::vector<Frame> sent = bench.below->TakeSent();
  ASSERT_THAT(sent, SizeIs(1));
  EXPECT_EQ(sent[0].item, ItemId(0));
  ASSERT_THAT(sent[0].tensors, SizeIs(1));
  EXPECT_EQ(sent[0].tensors[0].type,
            BoundaryType(bench.job(), StageIndex(0), 8));
  EXPECT_THAT(bench.observer.passes,
              ElementsAre("forward 0", "forward 1", "recompute 0", "backward 0",
                          "update 0"));
}

TEST(StageRuntimeTest, TheLastStageUpdatesFromTheLossAlone) {
  Bench bench(SmallMlp({1}, {2, 0}), 1);
  bench.Input(0);
  bench.Input(1);

  EXPECT_THAT(bench.Settle(), Waits(WaitReason::kInput));

  EXPECT_THAT(ItemsOf(bench.below->TakeSent()), ElementsAre(0, 1));
  ASSERT_THAT(bench.observer.updates, SizeIs(2));
  EXPECT_GT(bench.observer.updates[0].loss_sum, 0);
  EXPECT_EQ(bench.observer.updates[1].samples, 8);
}

TEST(StageRuntimeTest, WithoutCreditOneItemWaitsAndNoMore) {
  // The window is open for four items, the link has room for one.
  Bench bench(SmallMlp({1, 2}, {3, 3, 0}), 0);

  EXPECT_THAT(bench.Settle(), Waits(WaitReason::kCredit));
  EXPECT_THAT(ItemsOf(bench.above->TakeSent()), ElementsAre(0));
  EXPECT_EQ(bench.observer.passes.back(), "forward 1");

  bench.above->GiveCredit(Lane::kTraining);
  EXPECT_THAT(bench.Settle(), Waits(WaitReason::kCredit));
  EXPECT_THAT(ItemsOf(bench.above->TakeSent()), ElementsAre(1));
  EXPECT_EQ(bench.observer.passes.back(), "forward 2");
}

TEST(StageRuntimeTest, AnInputOfAnotherShapeBreaksTheContract) {
  Bench bench(SmallMlp({1}, {2, 0}), 1);
  bench.stage().from_below().OnFrame(
      {.item = ItemId(0),
       .generation = Generation(1),
       .tensors = {ToBytes(at::zeros({8, 15}), {0, 1}),
                   ToBytes(at::zeros({8}, torch::kInt64), {0})}});

  EXPECT_THAT(bench.Step(),
              StatusIs(absl::StatusCode::kInternal,
                       testing::AllOf(HasSubstr("8x16"), HasSubstr("8x15"))));
}

TEST(StageRuntimeTest, SaysWhichStageLostItsLink) {
  Bench bench(SmallMlp({1}, {2, 0}), 1);
  bench.stage().from_below().OnPeerLost(absl::UnavailableError("reset"));

  EXPECT_THAT(bench.Step(), StatusIs(absl::StatusCode::kUnavailable,
                                     testing::AllOf(HasSubstr("stage 1"),
                                                    HasSubstr("reset"))));
}

TEST(StageRuntimeTest, APeerThatHasFinishedIsNotMissed) {
  Bench bench(SmallMlp({1}, {0, 0}), 1);
  for (int64_t item = 0; item < 12; ++item) {
    bench.Input(item);
    ASSERT_THAT(bench.Settle(), Waits(WaitReason::kInput));
    bench.below->GiveCredit(Lane::kTraining);
    for (int64_t batch = 0; batch < 3; ++batch) {
      if (item % 6 != 5) break;
      bench.Input(batch, Lane::kEvaluation);
      if (item == 11 && batch == 2) break;
      ASSERT_THAT(bench.Settle(), Waits(WaitReason::kInput));
    }
  }

  bench.stage().from_below().OnPeerLost(absl::UnavailableError("closed"));

  EXPECT_THAT(bench.Settle(),
              IsOkAndHolds(testing::Field(&StepResult::kind,
                                          StepResult::Kind::kFinished)));
  EXPECT_THAT(bench.observer.evaluations, SizeIs(2));
  EXPECT_THAT(bench.stage().DigestLines(), IsOkAndHolds(SizeIs(6)));
}

TEST(StageRuntimeTest, NonFiniteGradientsLeaveTheWeightsAlone) {
  Bench bench(SmallMlp({1}, {1, 0}), 0);
  ASSERT_THAT(bench.Settle(), Waits(WaitReason::kGradient));

  bench.Gradient(0, std::numeric_limits<float>::quiet_NaN());

  EXPECT_THAT(bench.Step(), StatusIs(absl::StatusCode::kDataLoss,
                                     testing::AllOf(HasSubstr("stage 0"),
                                                    HasSubstr("item 0"))));
  EXPECT_EQ(bench.stage().version(), 0);
  EXPECT_THAT(bench.observer.updates, IsEmpty());
  EXPECT_EQ(bench.observer.passes.back(), "backward 0");
}

// Every update multiplies the weights by some 1e12.
TEST(StageRuntimeTest, WeightsThatGrowBeyondEveryNumberEndTheStage) {
  SmallJob job = SmallMlp({1}, {1, 0});
  job.learning_rate = 1e6;
  job.weight_decay = 1e6;
  Bench bench(job, 0);

  absl::StatusOr<StepResult> result = bench.Settle();
  for (int64_t item = 0; item < 8 && result.ok(); ++item) {
    bench.above->TakeSent();
    bench.above->GiveCredit(Lane::kTraining);
    bench.Gradient(item, 0);
    result = bench.Settle();
  }

  EXPECT_THAT(result, StatusIs(absl::StatusCode::kDataLoss,
                               HasSubstr("the weights are not finite")));
}

TEST(StageRuntimeTest, ANonFiniteLossIsSeenAtTheLastStage) {
  Bench bench(SmallMlp({1}, {1, 0}), 1);
  bench.Input(0, Lane::kTraining, std::numeric_limits<float>::infinity());

  EXPECT_THAT(bench.Settle(),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("the loss")));
  EXPECT_THAT(bench.below->TakeSent(), IsEmpty());
}

TEST(StageRuntimeTest, AtACutOnlyEvaluationItemsAreTaken) {
  Bench bench(SmallMlp({3}, {2, 0}), 1);
  for (int64_t item = 0; item < 6; ++item) {
    bench.Input(item);
    ASSERT_THAT(bench.Settle(), Waits(WaitReason::kInput));
    bench.below->GiveCredit(Lane::kTraining);
  }
  EXPECT_EQ(bench.stage().version(), 6);

  bench.Input(6);
  EXPECT_THAT(bench.Step(), Waits(WaitReason::kInput));
  for (const int64_t batch : {0, 1, 2}) {
    bench.Input(batch, Lane::kEvaluation);
    EXPECT_THAT(bench.Step(), IsMove());
  }
  EXPECT_THAT(bench.observer.evaluations, SizeIs(1));
  EXPECT_EQ(bench.observer.evaluations[0].version, 6);
  EXPECT_EQ(bench.observer.evaluations[0].samples, 20);
  EXPECT_EQ(bench.stage().version(), 6);

  EXPECT_THAT(bench.Settle(), Waits(WaitReason::kInput));
  EXPECT_EQ(bench.stage().version(), 7);
}

TEST(StageRuntimeTest, EveryPassThatBeginsEnds) {
  Bench bench(SmallMlp({1}, {2, 0}), 0);
  ASSERT_THAT(bench.Settle(), IsOk());

  EXPECT_EQ(bench.observer.ended, bench.observer.passes.size());
}

TEST(StageRuntimeTest, CountsWhatItKeeps) {
  Bench bench(SmallMlp({1}, {2, 0}), 0);
  ASSERT_THAT(bench.Settle(), IsOk());

  const int64_t parameters = 192 * 16 + 16;
  EXPECT_EQ(bench.stage().parameter_elements(), parameters);
  // Weights, gradients and momentum, and three batches of eight images.
  EXPECT_GE(bench.stage().peak_memory_bytes(),
            3 * parameters * 4 + 3 * 8 * 192 * 4);
}

TEST(TorchStageFactoryTest, RefusesAGraphThatWouldOutliveItsWeights) {
  auto job = std::make_shared<ResolvedJob>(*Resolved(SmallMlp({1}, {2, 0})));
  job->stages[0].recompute = false;
  RecordingObserver observer;
  TorchStageFactory factory;

  EXPECT_THAT(
      factory.Create({.job = job,
                      .id = JobId("job-1"),
                      .stage = StageIndex(0),
                      .data = std::make_shared<FakeDataSource>(SmallFacts())},
                     observer),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("needs recomputation")));
}

TEST(TorchStageFactoryTest, RefusesADeviceThatDoesNotExist) {
  RecordingObserver observer;
  TorchStageFactory factory;

  EXPECT_THAT(factory.Create({.job = Resolved(SmallMlp({1}, {2, 0})),
                              .id = JobId("job-1"),
                              .stage = StageIndex(1),
                              .device = "tpu"},
                             observer),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("tpu")));
}

}  // namespace
}  // namespace stagecoach

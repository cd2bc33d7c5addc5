#include "worker/stage/moves.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_random.h"
#include "tests/support/small_job.h"

namespace stagecoach {
namespace {

// F, R, B, E for every move up to the end of the job.
std::string MovesOf(const ResolvedJob& job, int stage) {
  std::string moves;
  StageCounts counts;
  while (true) {
    const StageMove move = NextStageMove(job, stage, counts);
    if (move == StageMove::kFinished) return moves;
    moves += "FRBE"[static_cast<int>(move)];
    counts = After(move, job, stage, counts);
  }
}

ResolvedJob JobWithItems(int64_t items, std::vector<StageMethod> stages) {
  ResolvedJob job;
  job.stages = std::move(stages);
  job.steps = items;
  job.steps_per_epoch = items;
  job.spec.data.batch_size = 8;
  job.facts = SmallFacts();
  return job;
}

TEST(MovesTest, AStageWithoutAWindowAlternates) {
  const ResolvedJob job = JobWithItems(3, {{.window = 0, .recompute = false}});

  EXPECT_EQ(MovesOf(job, 0), "FBFBFB");
}

TEST(MovesTest, AWindowIsFilledThenHeldThenDrained) {
  const ResolvedJob job =
      JobWithItems(5, {{.window = 2, .recompute = true}, {.window = 0}});

  EXPECT_EQ(MovesOf(job, 0), "FFFRBFRBFRBRBRB");
}

TEST(MovesTest, AWindowWiderThanTheJobForwardsAllFirst) {
  const ResolvedJob job =
      JobWithItems(3, {{.window = 9, .recompute = true}, {.window = 0}});

  EXPECT_EQ(MovesOf(job, 0), "FFFRBRBRB");
}

TEST(MovesTest, AtACutAllEvaluationItemsComeFirst) {
  // 20 test samples in batches of 8 are three items.
  ResolvedJob job =
      JobWithItems(5, {{.window = 1, .recompute = true}, {.window = 0}});
  job.evaluate_every = 2;

  EXPECT_EQ(MovesOf(job, 0), "FFRBFRBEEEFRBFRBEEERBEEE");
  EXPECT_EQ(MovesOf(job, 1), "FBFBEEEFBFBEEEFBEEE");
}

// A pipeline of stages that only count, on links with the room that a plan
// gives them.
class CountingPipeline {
 public:
  explicit CountingPipeline(const ResolvedJob& job)
      : job_(job), counts_(job.stages.size()), moved_(job.stages.size()) {}

  bool finished(int stage) const {
    return NextStageMove(job_, stage, At(counts_, stage)) ==
           StageMove::kFinished;
  }

  // Makes the stage's next move if its input is there and its output has
  // room; says whether it did.
  bool TryMove(int stage) {
    StageCounts& counts = At(counts_, stage);
    const StageMove move = NextStageMove(job_, stage, counts);
    if (move == StageMove::kFinished || !CanMove(stage, move)) return false;
    counts = After(move, job_, stage, counts);
    ++At(moved_, stage)[static_cast<size_t>(move)];
    return true;
  }

 private:
  using Moves = std::array<int64_t, 4>;

  template <typename T>
  static T& At(std::vector<T>& values, int stage) {
    return values[static_cast<size_t>(stage)];
  }
  template <typename T>
  static const T& At(const std::vector<T>& values, int stage) {
    return values[static_cast<size_t>(stage)];
  }

  int64_t Moved(int stage, StageMove move) const {
    return At(moved_, stage)[static_cast<size_t>(move)];
  }

  // An item goes from `from` to `to`, whose link has `room`: it has come if
  // `from` made the move once more than `to`; there is room if it did not yet
  // too often.
  bool Came(int from, int to, StageMove move) const {
    return Moved(from, move) > Moved(to, move);
  }
  bool HasRoom(int from, int to, StageMove move, int64_t room) const {
    return Moved(from, move) - Moved(to, move) < room;
  }

  bool CanMove(int stage, StageMove move) const {
    const int last = job_.num_stages() - 1;
    switch (move) {
      case StageMove::kForward:
        return (stage == 0 || Came(stage - 1, stage, move)) &&
               (stage == last ||
                HasRoom(stage, stage + 1, move, LinkItems(job_.stages, stage)));
      case StageMove::kBackward:
        return (stage == last || Came(stage + 1, stage, move)) &&
               (stage == 0 || HasRoom(stage, stage - 1, move,
                                      LinkItems(job_.stages, stage - 1)));
      case StageMove::kEvaluate:
        return (stage == 0 || Came(stage - 1, stage, move)) &&
               (stage == last || HasRoom(stage, stage + 1, move, 2));
      default:
        return true;
    }
  }

  const ResolvedJob& job_;
  std::vector<StageCounts> counts_;
  std::vector<Moves> moved_;
};

TEST(MovesTest, NoOrderOfArrivalsLeadsToADeadlock) {
  const std::vector<std::vector<int64_t>> windows = {
      {0, 0, 0, 0}, {3, 2, 1, 0}, {6, 4, 2, 0},
      {5, 5, 0, 0}, {9, 1, 1, 0}, {30, 30, 30, 0}};
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    for (const std::vector<int64_t>& window : windows) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", windows "
                                      << absl::StrJoin(window, ","));
      std::vector<StageMethod> stages;
      for (const int64_t w : window) {
        stages.push_back({.window = w, .recompute = w > 0});
      }
      ResolvedJob job = JobWithItems(20, stages);
      job.evaluate_every = 3;
      CountingPipeline pipeline(job);
      FakeRandom random(seed);

      // Moves at random while it can; every stage is tried before giving up.
      const auto move_somewhere = [&] {
        const int first = static_cast<int>(random.Next() % 4);
        for (int i = 0; i < 4; ++i) {
          if (pipeline.TryMove((first + i) % 4)) return true;
        }
        return false;
      };
      while (move_somewhere()) {
      }

      for (int stage = 0; stage < 4; ++stage) {
        EXPECT_TRUE(pipeline.finished(stage)) << "stage " << stage;
      }
    }
  }
}

}  // namespace
}  // namespace stagecoach

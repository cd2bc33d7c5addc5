#include "core/method/schedule.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

// "f0 f1 b0 ...": the whole segment.
std::string Moves(const Schedule& schedule) {
  std::string moves;
  Progress progress;
  while (true) {
    const Move move = NextMove(schedule, progress);
    if (move == Move::kFinished) return moves;
    const bool forward = move == Move::kForward;
    int64_t& count = forward ? progress.forwards : progress.backwards;
    moves += (forward ? " f" : " b") + std::to_string(count++);
  }
}

TEST(ScheduleTest, AlternatesWithoutAWindow) {
  EXPECT_EQ(Moves({.window = 0, .items = 3}), " f0 b0 f1 b1 f2 b2");
}

TEST(ScheduleTest, FillsKeepsAndDrainsItsWindow) {
  EXPECT_EQ(Moves({.window = 2, .items = 5}), " f0 f1 f2 b0 f3 b1 f4 b2 b3 b4");
}

TEST(ScheduleTest, EndsWhereItemsAreFewerThanTheWindow) {
  EXPECT_EQ(Moves({.window = 9, .items = 2}), " f0 f1 b0 b1");
  EXPECT_EQ(Moves({.window = 9, .items = 0}), "");
}

}  // namespace
}  // namespace stagecoach

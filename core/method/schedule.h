#pragma once

#include <cstdint>

namespace stagecoach {

// The order in which one stage runs its items, as data. The window is the most
// items in flight at the stage, less one.
struct Schedule {
  int64_t window = 0;
  int64_t items = 0;  // of the segment: items 0 .. items - 1

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// How far the stage has come within the segment. Counts are all that a
// schedule may look at: no queue lengths, no clock. That is what makes a run
// independent of who was slow.
struct Progress {
  int64_t forwards = 0;
  int64_t backwards = 0;
};

enum class Move { kForward, kBackward, kFinished };

// The next move. The stage waits until the move's input has arrived, however
// long that takes, rather than make another one. One rule serves every method:
// forward while there are items and the window is open, else backward.
constexpr Move NextMove(const Schedule& schedule, const Progress& progress) {
  if (progress.backwards == schedule.items) return Move::kFinished;
  const bool more = progress.forwards < schedule.items;
  const bool open = progress.forwards - progress.backwards <= schedule.window;
  return more && open ? Move::kForward : Move::kBackward;
}

}  // namespace stagecoach

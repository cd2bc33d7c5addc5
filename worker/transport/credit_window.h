#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stagecoach {

// Flow control of one lane in one direction, in whole items. Both sides count
// from the start of the link and exchange totals, never differences, so that a
// repeated or overtaken credit does no harm.
//
// No credit waits for others to make it worthwhile: a window is just large
// enough for its schedule, and one item held back can stop the pipeline. They
// merge by themselves, since the total is read when there is room to write it.

// The sending side.
//
// Thread-confined: its link guards it.
class SendWindow {
 public:
  explicit SendWindow(int64_t items) : items_(items) {}

  // Takes room for one item. When there is none, remembers that somebody was
  // refused.
  bool TryTake();

  // The receiver has consumed `total` items so far. True when somebody was
  // refused since the last time and may now try again.
  //   kInvalidArgument: more than were sent.
  absl::StatusOr<bool> Credit(int64_t total);

 private:
  const int64_t items_;
  int64_t sent_ = 0;
  int64_t consumed_ = 0;
  bool refused_ = false;
};

// The receiving side.
//
// Thread-confined: its link guards it.
class ReceiveWindow {
 public:
  explicit ReceiveWindow(int64_t items) : items_(items) {}

  // An item of the peer's begins.
  //   kInvalidArgument: there is no room, so the peer broke the rules.
  absl::Status Accept();

  // One item has been taken out. No more than were accepted.
  void Consume();

  // The total to tell the peer, unless it was told already.
  std::optional<int64_t> TakeCredit();

 private:
  const int64_t items_;
  int64_t accepted_ = 0;
  int64_t consumed_ = 0;
  int64_t told_ = 0;
};

}  // namespace stagecoach

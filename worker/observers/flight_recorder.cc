#include "worker/observers/flight_recorder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace stagecoach {
namespace {

std::string Waiting(WaitReason reason, int stage) {
  switch (reason) {
    case WaitReason::kInput:
      return absl::StrCat("waits for input from stage ", stage - 1);
    case WaitReason::kGradient:
      return absl::StrCat("waits for a gradient from stage ", stage + 1);
    case WaitReason::kCredit:
      return "waits for credit to send";
    case WaitReason::kNone:
      break;
  }
  return "waits";
}

}  // namespace

FlightRecorder::FlightRecorder(StageIndex stage, const Clock& clock)
    : stage_(stage), clock_(clock), origin_(clock.Now()) {
  ring_.reserve(kMoves);
}

void FlightRecorder::OnPassBegin(Pass pass, ItemId item) {
  const MutexLock lock(mutex_);
  const absl::Duration now = clock_.Now();
  EndWaitLocked(now);
  AddLocked({.kind = Entry::Kind::kPass,
             .pass = pass,
             .item = item.value(),
             .version = version_,
             .began = now});
}

void FlightRecorder::OnPassEnd(Pass pass, ItemId item) {
  const MutexLock lock(mutex_);
  // Passes do not nest, but an evaluation may be recorded before its end.
  for (size_t back = 1; back <= std::min<size_t>(2, added_); ++back) {
    Entry& entry = ring_[(added_ - back) % kMoves];
    if (entry.kind == Entry::Kind::kPass && entry.pass == pass &&
        entry.item == item.value()) {
      entry.ended = clock_.Now();
      return;
    }
  }
}

void FlightRecorder::OnUpdate(const UpdateRecord& record) {
  const MutexLock lock(mutex_);
  version_ = record.backward_version + 1;
}

void FlightRecorder::OnEvaluation(const Evaluation& evaluation) {
  const MutexLock lock(mutex_);
  const absl::Duration now = clock_.Now();
  AddLocked({.kind = Entry::Kind::kEvaluation,
             .item = evaluation.samples,
             .version = evaluation.version,
             .began = now,
             .ended = now});
}

void FlightRecorder::OnWait(WaitReason reason) {
  const MutexLock lock(mutex_);
  const absl::Duration now = clock_.Now();
  // A wake-up that brought nothing goes on with the same wait.
  if (const Entry* newest = NewestLocked();
      newest != nullptr && newest->kind == Entry::Kind::kWait &&
      newest->reason == reason) {
    return;
  }
  EndWaitLocked(now);
  AddLocked({.kind = Entry::Kind::kWait,
             .reason = reason,
             .version = version_,
             .began = now});
}

void FlightRecorder::AddLocked(Entry entry) {
  if (ring_.size() < kMoves) {
    ring_.push_back(entry);
  } else {
    ring_[added_ % kMoves] = entry;
  }
  ++added_;
}

void FlightRecorder::EndWaitLocked(absl::Duration now) {
  Entry* newest = NewestLocked();
  if (newest != nullptr && newest->kind == Entry::Kind::kWait) {
    newest->ended = now;
  }
}

FlightRecorder::Entry* FlightRecorder::NewestLocked() {
  return added_ == 0 ? nullptr : &ring_[(added_ - 1) % kMoves];
}

std::string FlightRecorder::LineOf(const Entry& entry,
                                   absl::Duration now) const {
  const double at = absl::ToDoubleSeconds(entry.began - origin_);
  if (entry.kind == Entry::Kind::kEvaluation) {
    return absl::StrFormat("%.6f s  evaluated %d samples at version %d", at,
                           entry.item, entry.version);
  }
  const bool runs = entry.ended == absl::InfiniteDuration();
  const std::string what =
      entry.kind == Entry::Kind::kWait
          ? Waiting(entry.reason, stage_.value())
          : absl::StrCat(NameOf(entry.pass), " item ", entry.item);
  return absl::StrFormat(
      "%.6f s  %s at version %d, %s%.3f ms", at, what, entry.version,
      runs ? "still, for " : "",
      absl::ToDoubleMilliseconds((runs ? now : entry.ended) - entry.began));
}

std::vector<std::string> FlightRecorder::Lines() const {
  const MutexLock lock(mutex_);
  const absl::Duration now = clock_.Now();
  std::vector<std::string> lines;
  lines.reserve(ring_.size());
  for (size_t back = ring_.size(); back > 0; --back) {
    lines.push_back(LineOf(ring_[(added_ - back) % kMoves], now));
  }
  return lines;
}

}  // namespace stagecoach

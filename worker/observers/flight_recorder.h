#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/mutex.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// Keeps the last moves of a stage, to be read when something went wrong: what,
// at which version, how long, waiting for whom.
//
// Thread-safe.
class FlightRecorder final : public PassObserver {
 public:
  static constexpr size_t kMoves = 1000;

  FlightRecorder(StageIndex stage, const Clock& clock);

  // Oldest first, one line each: "12.345678 s  forward item 17 at version 15,
  // 3.2 ms".
  std::vector<std::string> Lines() const;

  void OnPassBegin(Pass pass, ItemId item) override;
  void OnPassEnd(Pass pass, ItemId item) override;
  void OnUpdate(const UpdateRecord& record) override;
  void OnEvaluation(const Evaluation& evaluation) override;
  void OnWait(WaitReason reason) override;

 private:
  struct Entry {
    enum class Kind { kPass, kWait, kEvaluation };
    Kind kind = Kind::kPass;
    Pass pass = Pass::kForward;
    WaitReason reason = WaitReason::kNone;
    int64_t item = 0;
    int64_t version = 0;
    absl::Duration began;
    absl::Duration ended = absl::InfiniteDuration();  // infinite: not yet
  };

  void AddLocked(Entry entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndWaitLocked(absl::Duration now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Entry* NewestLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::string LineOf(const Entry& entry, absl::Duration now) const;

  const StageIndex stage_;
  const Clock& clock_;
  const absl::Duration origin_;
  mutable Mutex mutex_;
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t added_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<Entry> ring_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

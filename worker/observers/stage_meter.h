#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/mutex.h"
#include "core/job/job_status.h"
#include "core/resolve/resolved_job.h"
#include "worker/observers/training_meter.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// Measures one stage: where its time goes and which staleness its updates
// have. At the last stage also how training goes.
//
// Thread-safe.
class StageMeter final : public PassObserver {
 public:
  StageMeter(std::shared_ptr<const ResolvedJob> job, StageIndex stage,
             WorkerName worker, const Clock& clock);

  // The stage begins to run now: what went before is not counted.
  void Start();

  // Without what only the stage knows: parameters, peak_memory_bytes.
  StageStatus Status() const;
  TrainingFigures Training() const;  // zeros but at the last stage

  void OnPassBegin(Pass pass, ItemId item) override;
  void OnPassEnd(Pass pass, ItemId item) override;
  void OnUpdate(const UpdateRecord& record) override;
  void OnEvaluation(const Evaluation& evaluation) override;
  void OnWait(WaitReason reason) override;

 private:
  // What the time since the last call went into.
  enum Use { kBusy, kInput, kGradient, kCredit, kData, kNumUses };

  // Ends the present use of time and begins the next.
  void TurnToLocked(Use next, absl::Duration now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Duration SpentLocked(Use use, absl::Duration now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<const ResolvedJob> job_;
  const StageIndex stage_;
  const WorkerName worker_;
  const Clock& clock_;
  mutable Mutex mutex_;
  absl::Duration origin_ ABSL_GUARDED_BY(mutex_);
  Use use_ ABSL_GUARDED_BY(mutex_) = kBusy;
  absl::Duration since_ ABSL_GUARDED_BY(mutex_);
  std::array<absl::Duration, kNumUses> spent_ ABSL_GUARDED_BY(mutex_) = {};
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  Staleness staleness_ ABSL_GUARDED_BY(mutex_);
  int64_t stored_inputs_peak_ ABSL_GUARDED_BY(mutex_) = 0;
  TrainingMeter training_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// Makes stages that move items as real ones do, over real links and under the
// real schedule, but whose weights are one 64-bit number: mixed with what each
// pass reads, so that it tells in which order everything happened.
//
// Thread-safe.
class FakeStageFactory final : public StageFactory {
 public:
  absl::StatusOr<std::unique_ptr<Stage>> Create(
      const StageOptions& options, PassObserver& observer) override;

  // Creating this stage fails from now on; OK makes it succeed again.
  void FailCreation(StageIndex stage, absl::Status error);

  // The backward pass of this item at this stage fails, once.
  void FailAt(StageIndex stage, ItemId item, absl::Status error);

  // Called at the begin of every step, on the stage's thread: tests hold a
  // stage up here.
  void OnStep(std::function<void(StageIndex)> hook);

  // Stages that exist now.
  int alive() const;

  // Where the stage that was asked for last shall compute.
  std::string last_device() const;

 private:
  class FakeStage;

  absl::Status TakeFailure(StageIndex stage, ItemId item);
  void RunHook(StageIndex stage) const;
  void Count(int change);

  mutable Mutex mutex_;
  std::string last_device_ ABSL_GUARDED_BY(mutex_);
  std::map<StageIndex, absl::Status> creation_ ABSL_GUARDED_BY(mutex_);
  std::map<std::pair<StageIndex, ItemId>, absl::Status> failures_
      ABSL_GUARDED_BY(mutex_);
  std::function<void(StageIndex)> hook_ ABSL_GUARDED_BY(mutex_);
  int alive_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace stagecoach

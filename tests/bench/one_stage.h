#pragma once

#include <cstdint>
#include <memory>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/resolve/resolved_job.h"
#include "worker/observers/stage_meter.h"
#include "worker/stage/torch_stage.h"

namespace stagecoach {

// A whole model on one stage, as a worker runs it, but stepped by hand: data,
// moves, checks, update and the meter.
class OneStage {
 public:
  // ResNet of that depth for `samples` images of 3 x 32 x 32 at a time.
  OneStage(int64_t depth, int64_t samples);

  // All of one item.
  void TrainOne();

  const ResolvedJob& job() const { return *job_; }

 private:
  const std::shared_ptr<const ResolvedJob> job_;
  const SystemClock clock_;
  StageMeter meter_;
  std::unique_ptr<Stage> stage_;
};

}  // namespace stagecoach

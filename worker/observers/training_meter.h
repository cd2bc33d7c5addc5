#pragma once

#include <cstdint>
#include <memory>

#include "absl/time/time.h"
#include "core/job/job_status.h"
#include "core/resolve/resolved_job.h"
#include "worker/stage/stage.h"

namespace stagecoach {

// How training goes, from the updates of the last stage.
//
// The rate of samples is that of the items m_0 + 1 to N - 1 - m_0 of N (m_0:
// the first stage's window): before them the pipeline fills, after them the
// first stage has nothing left to forward. Until there is one, of all so far.
//
// Thread-confined: whoever holds it. The job outlives it.
class TrainingMeter {
 public:
  explicit TrainingMeter(const ResolvedJob& job);

  // Of training, not of evaluation. The first one starts the clock.
  void OnPassBegin(absl::Duration now);
  void OnUpdate(const UpdateRecord& record, absl::Duration now);
  void OnEvaluation(absl::Duration now);

  TrainingFigures Figures(absl::Duration now) const;

 private:
  // Training time so far: from the first pass, evaluations excluded.
  absl::Duration TrainedAt(absl::Duration now) const;

  const ResolvedJob& job_;
  const int64_t fill_;  // m_0
  bool started_ = false;
  absl::Duration begin_;
  bool evaluating_ = false;
  absl::Duration evaluation_began_;
  absl::Duration evaluated_;  // time that evaluations took
  int64_t samples_ = 0;
  int64_t epoch_samples_ = 0;
  int64_t epoch_correct_ = 0;
  double epoch_loss_ = 0;
  double last_loss_ = 0;
  // The steady part: what had been trained at its begin and at its newest end.
  absl::Duration steady_begin_;
  absl::Duration steady_end_;
  int64_t steady_samples_ = 0;
};

}  // namespace stagecoach

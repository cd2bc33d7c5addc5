#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/metrics/metrics.h"
#include "worker/stage_watch.h"

namespace stagecoach {

// One stage's metrics (stagecoach_stage_*, stagecoach_link_*). Their series go
// with this object.
//
// Thread-safe as far as StageWatch asks: passes come from the stage's thread,
// Show() from the worker's executor, and they share no data but handles.
class StageMetrics final : public StageWatch {
 public:
  StageMetrics(const StageOptions& stage, const WorkerName& worker,
               Metrics& metrics, const Clock& clock);

  void OnPassBegin(Pass pass, ItemId item) override;
  void OnPassEnd(Pass pass, ItemId item) override;
  void OnUpdate(const UpdateRecord& record) override;
  void OnEvaluation(const Evaluation& evaluation) override;

  void Show(const StageStatus& status, const Link::Traffic& below,
            const Link::Traffic& above) override;

 private:
  // A counter that is told totals instead of steps.
  struct Total {
    Counter counter;
    double last = 0;

    void Reach(double total) {
      if (total > last) counter.Add(total - last);
      last = std::max(last, total);
    }
  };

  void AddPasses(Metrics& metrics, const Labels& labels);
  void AddTotals(Metrics& metrics, const Labels& labels);
  void ShowMemory(Metrics& metrics, const Labels& labels,
                  const StageOptions& stage);

  const Clock& clock_;

  // The stage's thread.
  absl::Duration pass_began_;
  int64_t in_flight_ = 0;
  int64_t window_ = 0;
  Counter items_;
  Counter samples_;
  Counter updates_;
  Counter violations_;
  Gauge staleness_;
  Gauge in_flight_items_;
  Gauge stored_inputs_;
  Gauge version_;
  std::map<Pass, Histogram> pass_seconds_;

  // The worker's executor.
  Total busy_;
  std::map<std::string, Total> waits_;  // by reason
  Total credit_wait_;
  Total frames_;
  std::map<std::string, Total> bytes_;  // by direction

  std::array<Gauge, 4> memory_;  // constant
};

}  // namespace stagecoach

#include "worker/stage_metrics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

Labels With(Labels labels, const std::string& name, std::string value) {
  labels[name] = std::move(value);
  return labels;
}

// Passes take from tens of microseconds, small layers on a GPU, to seconds.
std::vector<double> PassBounds() {
  return {1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 3, 10};
}

}  // namespace

StageMetrics::StageMetrics(const StageOptions& stage, const WorkerName& worker,
                           Metrics& metrics, const Clock& clock)
    : clock_(clock),
      window_(stage.job->ScheduleOf(stage.stage.value()).window) {
  const Labels labels = {{"job", stage.id.value()},
                         {"stage", absl::StrCat(stage.stage.value())},
                         {"worker", worker.value()}};
  items_ = metrics.AddCounter("stage_items_total",
                              "Items trained on, forward and back", labels);
  samples_ = metrics.AddCounter("stage_samples_total", "Samples of those items",
                                labels);
  updates_ = metrics.AddCounter("stage_updates_total", "Updates of the weights",
                                labels);
  violations_ = metrics.AddCounter(
      "stage_staleness_contract_violations_total",
      "Updates whose staleness was not what the method promises", labels);
  staleness_ =
      metrics.AddGauge("stage_staleness_updates",
                       "Staleness of the last update, in updates", labels);
  in_flight_items_ = metrics.AddGauge(
      "stage_in_flight_items", "Items forwarded and not yet back", labels);
  stored_inputs_ = metrics.AddGauge("stage_stored_inputs",
                                    "Inputs kept for backward passes", labels);
  version_ = metrics.AddGauge("stage_version",
                              "Updates that the weights have had", labels);
  AddPasses(metrics, labels);
  AddTotals(metrics, labels);
  ShowMemory(metrics, labels, stage);
}

void StageMetrics::AddPasses(Metrics& metrics, const Labels& labels) {
  for (const Pass pass :
       {Pass::kForward, Pass::kRecompute, Pass::kBackward, Pass::kUpdate}) {
    pass_seconds_.emplace(
        pass,
        metrics.AddHistogram(
            "stage_pass_seconds", "Duration of a pass over one item",
            With(labels, "pass", std::string(NameOf(pass))), PassBounds()));
  }
}

void StageMetrics::AddTotals(Metrics& metrics, const Labels& labels) {
  busy_.counter = metrics.AddCounter("stage_busy_seconds_total",
                                     "Time spent computing", labels);
  for (const char* reason : {"input", "gradient", "credit", "data"}) {
    waits_[reason].counter =
        metrics.AddCounter("stage_wait_seconds_total", "Time spent waiting",
                           With(labels, "reason", reason));
  }
  credit_wait_.counter =
      metrics.AddCounter("link_credit_wait_seconds_total",
                         "Time a stage waited for room on a link", labels);
  frames_.counter = metrics.AddCounter(
      "link_frames_total", "Frames sent and received by a stage", labels);
  for (const char* direction :
       {"activations_in", "activations_out", "gradients_in", "gradients_out"}) {
    bytes_[direction].counter = metrics.AddCounter(
        "link_bytes_total", "Payload bytes of a stage's links",
        With(labels, "direction", direction));
  }
}

void StageMetrics::ShowMemory(Metrics& metrics, const Labels& labels,
                              const StageOptions& stage) {
  const StageMemory memory = MemoryOf(*stage.job, stage.stage.value());
  const std::pair<const char*, int64_t> kinds[] = {
      {"weights", memory.weights},
      {"optimizer", memory.optimizer},
      {"inputs", memory.inputs},
      {"buffers", memory.buffers + memory.links}};
  for (size_t i = 0; i < memory_.size(); ++i) {
    memory_[i] =
        metrics.AddGauge("stage_memory_bytes", "Accounted memory of a stage",
                         With(labels, "kind", kinds[i].first));
    memory_[i].Set(static_cast<double>(kinds[i].second));
  }
}

void StageMetrics::OnPassBegin(Pass /*pass*/, ItemId /*item*/) {
  pass_began_ = clock_.Now();
}

void StageMetrics::OnPassEnd(Pass pass, ItemId /*item*/) {
  const auto histogram = pass_seconds_.find(pass);
  if (histogram == pass_seconds_.end()) return;
  histogram->second.Observe(absl::ToDoubleSeconds(clock_.Now() - pass_began_));
  if (pass != Pass::kForward) return;
  in_flight_items_.Set(static_cast<double>(++in_flight_));
}

void StageMetrics::OnUpdate(const UpdateRecord& record) {
  items_.Add();
  updates_.Add();
  samples_.Add(static_cast<double>(record.samples));
  if (record.staleness != std::min(record.item.value(), window_)) {
    violations_.Add();
  }
  staleness_.Set(static_cast<double>(record.staleness));
  stored_inputs_.Set(static_cast<double>(record.stored_inputs));
  version_.Set(static_cast<double>(record.backward_version + 1));
  in_flight_ = std::max<int64_t>(0, in_flight_ - 1);
  in_flight_items_.Set(static_cast<double>(in_flight_));
}

void StageMetrics::OnEvaluation(const Evaluation& /*evaluation*/) {}

void StageMetrics::Show(const StageStatus& status, const Link::Traffic& below,
                        const Link::Traffic& above) {
  busy_.Reach(status.busy * status.seconds);
  waits_["input"].Reach(status.waiting_input * status.seconds);
  waits_["gradient"].Reach(status.waiting_gradient * status.seconds);
  waits_["credit"].Reach(status.waiting_credit * status.seconds);
  waits_["data"].Reach(status.waiting_data * status.seconds);
  credit_wait_.Reach(status.waiting_credit * status.seconds);
  frames_.Reach(static_cast<double>(below.frames_sent + below.frames_received +
                                    above.frames_sent + above.frames_received));
  bytes_["activations_in"].Reach(static_cast<double>(below.bytes_received));
  bytes_["activations_out"].Reach(static_cast<double>(above.bytes_sent));
  bytes_["gradients_in"].Reach(static_cast<double>(above.bytes_received));
  bytes_["gradients_out"].Reach(static_cast<double>(below.bytes_sent));
}

}  // namespace stagecoach

#include "core/job/job_status.h"

#include "core/base/check.h"

namespace stagecoach {
namespace {

Value EvaluationValue(const std::optional<Evaluation>& evaluation) {
  if (!evaluation.has_value()) return nullptr;
  return {{"step", evaluation->version},
          {"loss", evaluation->loss},
          {"accuracy", evaluation->accuracy},
          {"samples", evaluation->samples}};
}

Value CauseValue(const std::optional<Cause>& cause) {
  if (!cause.has_value()) return nullptr;
  const auto number = [](int64_t value) {
    return value < 0 ? Value(nullptr) : Value(value);
  };
  return {{"kind", cause->kind},
          {"stage", number(cause->stage)},
          {"step", number(cause->step)},
          {"item", number(cause->item)},
          {"text", cause->text}};
}

Value StageValue(const StageStatus& stage) {
  return {
      {"stage", stage.stage.value()},
      {"worker", stage.worker.value()},
      {"layers", {{"first", stage.first_unit}, {"last", stage.end_unit - 1}}},
      {"parameters", stage.parameters},
      {"version", stage.version},
      {"applied", stage.applied},
      {"staleness",
       {{"min", stage.staleness.minimum},
        {"max", stage.staleness.maximum},
        {"after_fill", stage.staleness.after_fill},
        {"violations", stage.staleness.violations}}},
      {"busy", stage.busy},
      {"waiting_input", stage.waiting_input},
      {"waiting_gradient", stage.waiting_gradient},
      {"waiting_credit", stage.waiting_credit},
      {"waiting_data", stage.waiting_data},
      {"peak_stored_inputs", stage.stored_inputs_peak},
      {"peak_memory_bytes", stage.peak_memory_bytes}};
}

// Epochs begun and finished, the part of the current one included.
Value EpochsValue(const JobStatus& status) {
  if (status.steps_per_epoch == 0) return 0;
  if (status.step % status.steps_per_epoch == 0) {
    return status.step / status.steps_per_epoch;
  }
  return static_cast<double>(status.step) /
         static_cast<double>(status.steps_per_epoch);
}

// From the start to the end; null before both are known.
Value SecondsValue(const JobStatus& status) {
  if (status.started == absl::InfinitePast() ||
      status.finished == absl::InfinitePast()) {
    return nullptr;
  }
  return absl::ToDoubleSeconds(status.finished - status.started);
}

}  // namespace

absl::string_view NameOf(JobState state) {
  switch (state) {
    case JobState::kQueued:
      return "queued";
    case JobState::kStarting:
      return "starting";
    case JobState::kRunning:
      return "running";
    case JobState::kRecovering:
      return "recovering";
    case JobState::kSucceeded:
      return "succeeded";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      return "cancelled";
  }
  SC_CHECK(false, "a job has one of the states above");
}

bool IsFinal(JobState state) {
  return state == JobState::kSucceeded || state == JobState::kFailed ||
         state == JobState::kCancelled;
}

Value ResultValue(const JobStatus& status) {
  Value stages = Value::array();
  for (const StageStatus& stage : status.stages) {
    stages.push_back(StageValue(stage));
  }
  return {{"id", status.id.value()},
          {"name", status.name},
          {"state", std::string(NameOf(status.state))},
          {"reason", status.reason},
          {"cause", CauseValue(status.cause)},
          {"steps", status.step},
          {"epochs", EpochsValue(status)},
          {"samples", status.training.samples},
          {"train_loss", status.training.epoch_loss},
          {"train_accuracy", status.training.accuracy},
          {"evaluation",
           {{"last", EvaluationValue(status.last_evaluation)},
            {"best", EvaluationValue(status.best_evaluation)}}},
          {"seconds", SecondsValue(status)},
          {"training_seconds", status.training.training_seconds},
          {"samples_per_second", status.training.samples_per_second},
          {"stages", stages},
          {"recoveries", status.recoveries},
          {"weights_digest", status.weights_digest},
          {"spec_digest", status.spec_digest},
          {"build", status.build}};
}

}  // namespace stagecoach

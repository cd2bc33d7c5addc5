#include "core/grpc/convert_status.h"

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

using ::stagecoach::FromProto;
using ::stagecoach::ToProto;

google::protobuf::Timestamp ToProto(absl::Time time) {
  google::protobuf::Timestamp proto;
  const timespec parts = absl::ToTimespec(time);
  proto.set_seconds(parts.tv_sec);
  proto.set_nanos(static_cast<int32_t>(parts.tv_nsec));
  return proto;
}

absl::Time FromProto(const google::protobuf::Timestamp& proto) {
  return absl::FromUnixSeconds(proto.seconds()) +
         absl::Nanoseconds(proto.nanos());
}

// The enumerations list the same states in the same order.
v1::JobState ToProto(JobState state) {
  return static_cast<v1::JobState>(static_cast<int>(state) + 1);
}

absl::StatusOr<JobState> FromProto(v1::JobState state) {
  if (state < v1::JOB_STATE_QUEUED || state > v1::JOB_STATE_CANCELLED) {
    return absl::InvalidArgumentError(absl::StrCat(
        "job state ", static_cast<int>(state),
        " is not known here; the other side is of another version"));
  }
  return static_cast<JobState>(static_cast<int>(state) - 1);
}

v1::Staleness ToProto(const Staleness& staleness) {
  v1::Staleness proto;
  proto.set_minimum(staleness.minimum);
  proto.set_maximum(staleness.maximum);
  proto.set_last(staleness.last);
  proto.set_after_fill(staleness.after_fill);
  proto.set_violations(staleness.violations);
  return proto;
}

Staleness FromProto(const v1::Staleness& proto) {
  return {.minimum = proto.minimum(),
          .maximum = proto.maximum(),
          .last = proto.last(),
          .after_fill = proto.after_fill(),
          .violations = proto.violations()};
}

}  // namespace

v1::Cause ToProto(const Cause& cause) {
  v1::Cause proto;
  proto.set_kind(cause.kind);
  if (cause.stage >= 0) proto.set_stage(cause.stage);
  if (cause.step >= 0) proto.set_step(cause.step);
  if (cause.item >= 0) proto.set_item(cause.item);
  proto.set_text(cause.text);
  return proto;
}

Cause FromProto(const v1::Cause& proto) {
  return {.kind = proto.kind(),
          .stage = proto.has_stage() ? proto.stage() : -1,
          .step = proto.has_step() ? proto.step() : -1,
          .item = proto.has_item() ? proto.item() : -1,
          .text = proto.text()};
}

v1::StageStatus ToProto(const StageStatus& status) {
  v1::StageStatus proto;
  proto.set_stage(status.stage.value());
  proto.set_worker(status.worker.value());
  proto.set_first_unit(status.first_unit);
  proto.set_end_unit(status.end_unit);
  proto.set_parameters(status.parameters);
  proto.set_version(status.version);
  proto.set_applied(status.applied);
  *proto.mutable_staleness() = ToProto(status.staleness);
  proto.set_stored_inputs_peak(status.stored_inputs_peak);
  proto.set_seconds(status.seconds);
  proto.set_busy(status.busy);
  proto.set_waiting_input(status.waiting_input);
  proto.set_waiting_gradient(status.waiting_gradient);
  proto.set_waiting_credit(status.waiting_credit);
  proto.set_waiting_data(status.waiting_data);
  proto.set_waiting_for(status.waiting_for);
  proto.set_peak_memory_bytes(status.peak_memory_bytes);
  return proto;
}

StageStatus FromProto(const v1::StageStatus& proto) {
  return {.stage = StageIndex(proto.stage()),
          .worker = WorkerName(proto.worker()),
          .first_unit = proto.first_unit(),
          .end_unit = proto.end_unit(),
          .parameters = proto.parameters(),
          .version = proto.version(),
          .applied = proto.applied(),
          .staleness = FromProto(proto.staleness()),
          .stored_inputs_peak = proto.stored_inputs_peak(),
          .seconds = proto.seconds(),
          .busy = proto.busy(),
          .waiting_input = proto.waiting_input(),
          .waiting_gradient = proto.waiting_gradient(),
          .waiting_credit = proto.waiting_credit(),
          .waiting_data = proto.waiting_data(),
          .waiting_for = proto.waiting_for(),
          .peak_memory_bytes = proto.peak_memory_bytes()};
}

v1::TrainingFigures ToProto(const TrainingFigures& figures) {
  v1::TrainingFigures proto;
  proto.set_samples(figures.samples);
  proto.set_epoch_loss(figures.epoch_loss);
  proto.set_last_loss(figures.last_loss);
  proto.set_accuracy(figures.accuracy);
  proto.set_samples_per_second(figures.samples_per_second);
  proto.set_training_seconds(figures.training_seconds);
  return proto;
}

TrainingFigures FromProto(const v1::TrainingFigures& proto) {
  return {.samples = proto.samples(),
          .epoch_loss = proto.epoch_loss(),
          .last_loss = proto.last_loss(),
          .accuracy = proto.accuracy(),
          .samples_per_second = proto.samples_per_second(),
          .training_seconds = proto.training_seconds()};
}

v1::Evaluation ToProto(const Evaluation& evaluation) {
  v1::Evaluation proto;
  proto.set_version(evaluation.version);
  proto.set_loss(evaluation.loss);
  proto.set_accuracy(evaluation.accuracy);
  proto.set_samples(evaluation.samples);
  return proto;
}

Evaluation FromProto(const v1::Evaluation& proto) {
  return {.version = proto.version(),
          .loss = proto.loss(),
          .accuracy = proto.accuracy(),
          .samples = proto.samples()};
}

v1::JobStatus ToProto(const JobStatus& status) {
  v1::JobStatus proto;
  proto.set_id(status.id.value());
  proto.set_name(status.name);
  proto.set_state(ToProto(status.state));
  proto.set_reason(status.reason);
  if (status.cause.has_value()) *proto.mutable_cause() = ToProto(*status.cause);
  *proto.mutable_submitted() = ToProto(status.submitted);
  if (status.started != absl::InfinitePast()) {
    *proto.mutable_started() = ToProto(status.started);
  }
  if (status.finished != absl::InfinitePast()) {
    *proto.mutable_finished() = ToProto(status.finished);
  }
  proto.set_generation(status.generation.value());
  proto.set_step(status.step);
  proto.set_steps(status.steps);
  proto.set_steps_per_epoch(status.steps_per_epoch);
  proto.set_recoveries(status.recoveries);
  *proto.mutable_training() = ToProto(status.training);
  if (status.last_evaluation.has_value()) {
    *proto.mutable_last_evaluation() = ToProto(*status.last_evaluation);
  }
  if (status.best_evaluation.has_value()) {
    *proto.mutable_best_evaluation() = ToProto(*status.best_evaluation);
  }
  for (const StageStatus& stage : status.stages) {
    *proto.add_stages() = ToProto(stage);
  }
  proto.set_weights_digest(status.weights_digest);
  proto.set_spec_digest(status.spec_digest);
  proto.set_build(status.build);
  return proto;
}

absl::StatusOr<JobStatus> FromProto(const v1::JobStatus& proto) {
  JobStatus status = {.id = JobId(proto.id()),
                      .name = proto.name(),
                      .reason = proto.reason(),
                      .submitted = FromProto(proto.submitted()),
                      .generation = Generation(proto.generation()),
                      .step = proto.step(),
                      .steps = proto.steps(),
                      .steps_per_epoch = proto.steps_per_epoch(),
                      .recoveries = proto.recoveries(),
                      .training = FromProto(proto.training()),
                      .weights_digest = proto.weights_digest(),
                      .spec_digest = proto.spec_digest(),
                      .build = proto.build()};
  SC_ASSIGN_OR_RETURN(status.state, FromProto(proto.state()));
  if (proto.has_cause()) status.cause = FromProto(proto.cause());
  if (proto.has_started()) status.started = FromProto(proto.started());
  if (proto.has_finished()) status.finished = FromProto(proto.finished());
  if (proto.has_last_evaluation()) {
    status.last_evaluation = FromProto(proto.last_evaluation());
  }
  if (proto.has_best_evaluation()) {
    status.best_evaluation = FromProto(proto.best_evaluation());
  }
  for (const v1::StageStatus& stage : proto.stages()) {
    status.stages.push_back(FromProto(stage));
  }
  return status;
}

v1::JobEvent ToProto(const JobEvent& event) {
  v1::JobEvent proto;
  proto.set_sequence(event.sequence);
  *proto.mutable_time() = ToProto(event.time);
  proto.set_kind(event.kind);
  proto.set_text(event.text);
  return proto;
}

JobEvent FromProto(const v1::JobEvent& proto) {
  return {.sequence = proto.sequence(),
          .time = FromProto(proto.time()),
          .kind = proto.kind(),
          .text = proto.text()};
}

v1::WorkerStatus ToProto(const WorkerStatus& status) {
  v1::WorkerStatus proto;
  proto.set_name(status.name.value());
  proto.set_state(status.state);
  proto.set_address(status.address);
  proto.set_device(status.device);
  proto.set_build(status.build);
  proto.set_slots(status.slots);
  proto.set_free_slots(status.free_slots);
  proto.set_memory_bytes(status.memory_bytes);
  proto.set_jobs(status.jobs);
  return proto;
}

WorkerStatus FromProto(const v1::WorkerStatus& proto) {
  return {.name = WorkerName(proto.name()),
          .state = proto.state(),
          .address = proto.address(),
          .device = proto.device(),
          .build = proto.build(),
          .slots = proto.slots(),
          .free_slots = proto.free_slots(),
          .memory_bytes = proto.memory_bytes(),
          .jobs = proto.jobs()};
}

}  // namespace stagecoach

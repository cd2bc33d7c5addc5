#include "core/grpc/convert_session.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/grpc/convert_job.h"
#include "core/grpc/convert_status.h"
#include "core/grpc/status.h"

namespace stagecoach {
namespace {

using ::stagecoach::FromProto;
using ::stagecoach::ToProto;

// The two fields that most messages of a session have in common.
template <typename From, typename To>
void Address(const From& from, To& to) {
  to.set_job(from.job.value());
  to.set_generation(from.generation.value());
}

template <typename Proto>
JobId JobOf(const Proto& proto) {
  return JobId(proto.job());
}

template <typename Proto>
Generation GenerationOf(const Proto& proto) {
  return Generation(proto.generation());
}

template <typename Repeated>
std::vector<std::string> Texts(const Repeated& repeated) {
  return {repeated.begin(), repeated.end()};
}

void Fill(const DataInspected& report, v1::Report& proto) {
  v1::DataInspected& to = *proto.mutable_data_inspected();
  Address(report, to);
  if (report.facts.ok()) {
    *to.mutable_facts() = ToProto(*report.facts);
  } else {
    *to.mutable_error() = ToProto(report.facts.status());
  }
}

void Fill(const StagesPrepared& report, v1::Report& proto) {
  Address(report, *proto.mutable_stages_prepared());
}

void Fill(const StageProgressed& report, v1::Report& proto) {
  v1::StageProgressed& to = *proto.mutable_stage_progressed();
  Address(report, to);
  *to.mutable_status() = ToProto(report.status);
  *to.mutable_training() = ToProto(report.training);
}

void Fill(const CutEvaluated& report, v1::Report& proto) {
  v1::CutEvaluated& to = *proto.mutable_cut_evaluated();
  Address(report, to);
  *to.mutable_evaluation() = ToProto(report.evaluation);
}

void Fill(const StageFinished& report, v1::Report& proto) {
  v1::StageFinished& to = *proto.mutable_stage_finished();
  Address(report, to);
  *to.mutable_status() = ToProto(report.status);
  *to.mutable_training() = ToProto(report.training);
  to.mutable_digest_lines()->Assign(report.digest_lines.begin(),
                                    report.digest_lines.end());
}

void Fill(const StageFailed& report, v1::Report& proto) {
  v1::StageFailed& to = *proto.mutable_stage_failed();
  Address(report, to);
  *to.mutable_cause() = ToProto(report.cause);
}

void Fill(const StagesStopped& report, v1::Report& proto) {
  Address(report, *proto.mutable_stages_stopped());
}

void Fill(const FlightRecord& report, v1::Report& proto) {
  v1::FlightRecord& to = *proto.mutable_flight_record();
  Address(report, to);
  to.set_stage(report.stage.value());
  to.mutable_moves()->Assign(report.moves.begin(), report.moves.end());
}

void Fill(const LogLine& report, v1::Report& proto) {
  v1::LogLine& to = *proto.mutable_log_line();
  to.set_job(report.job.value());
  to.set_text(report.text);
}

void Fill(const InspectData& order, v1::Order& proto) {
  v1::InspectData& to = *proto.mutable_inspect_data();
  Address(order, to);
  *to.mutable_spec() = ToProto(order.spec);
}

void Fill(const PrepareStages& order, v1::Order& proto) {
  *proto.mutable_prepare_stages()->mutable_plan() = ToProto(order.plan);
}

void Fill(const StartStages& order, v1::Order& proto) {
  Address(order, *proto.mutable_start_stages());
}

void Fill(const StopStages& order, v1::Order& proto) {
  v1::StopStages& to = *proto.mutable_stop_stages();
  Address(order, to);
  to.set_reason(order.reason);
}

void Fill(const RequestFlightRecord& order, v1::Order& proto) {
  proto.mutable_request_flight_record()->set_job(order.job.value());
}

// An error without a code would pass for a value.
absl::Status ErrorIn(const v1::Status& proto) {
  const absl::Status error = FromProto(proto);
  return error.ok() ? absl::UnknownError("an error without a code") : error;
}

DataInspected FromProto(const v1::DataInspected& proto) {
  DataInspected report = {.job = JobOf(proto),
                          .generation = GenerationOf(proto),
                          .facts = FromProto(proto.facts())};
  if (proto.has_error()) report.facts = ErrorIn(proto.error());
  return report;
}

StageProgressed FromProto(const v1::StageProgressed& proto) {
  return {.job = JobOf(proto),
          .generation = GenerationOf(proto),
          .status = FromProto(proto.status()),
          .training = FromProto(proto.training())};
}

StageFinished FromProto(const v1::StageFinished& proto) {
  return {.job = JobOf(proto),
          .generation = GenerationOf(proto),
          .status = FromProto(proto.status()),
          .training = FromProto(proto.training()),
          .digest_lines = Texts(proto.digest_lines())};
}

FlightRecord FromProto(const v1::FlightRecord& proto) {
  return {.job = JobOf(proto),
          .generation = GenerationOf(proto),
          .stage = StageIndex(proto.stage()),
          .moves = Texts(proto.moves())};
}

v1::RunningStage ToProto(const RunningStage& stage) {
  v1::RunningStage proto;
  Address(stage, proto);
  proto.set_stage(stage.stage.value());
  proto.set_version(stage.version);
  return proto;
}

RunningStage FromProto(const v1::RunningStage& proto) {
  return {.job = JobOf(proto),
          .generation = GenerationOf(proto),
          .stage = StageIndex(proto.stage()),
          .version = proto.version()};
}

absl::Status UnknownKind(absl::string_view what, int64_t serial) {
  return absl::InvalidArgumentError(
      absl::StrCat(what, " ", serial, " is of a kind that is not known here; ",
                   "the other side is of another version"));
}

}  // namespace

v1::Hello ToProto(const Hello& hello) {
  v1::Hello proto;
  proto.set_name(hello.name.value());
  proto.set_incarnation(hello.incarnation.value());
  proto.set_protocol(hello.protocol);
  proto.set_build(hello.build);
  proto.set_slots(hello.slots);
  proto.set_memory_bytes(hello.memory_bytes);
  proto.set_device(hello.device);
  proto.set_data_address(hello.data_address);
  for (const auto& [registry, names] : hello.registries) {
    (*proto.mutable_registries())[registry].mutable_names()->Assign(
        names.begin(), names.end());
  }
  for (const RunningStage& stage : hello.running) {
    *proto.add_running() = ToProto(stage);
  }
  proto.set_last_order(hello.last_order);
  return proto;
}

Hello FromProto(const v1::Hello& proto) {
  Hello hello = {.name = WorkerName(proto.name()),
                 .incarnation = Incarnation(proto.incarnation()),
                 .protocol = proto.protocol(),
                 .build = proto.build(),
                 .slots = proto.slots(),
                 .memory_bytes = proto.memory_bytes(),
                 .device = proto.device(),
                 .data_address = proto.data_address(),
                 .last_order = proto.last_order()};
  for (const auto& [registry, names] : proto.registries()) {
    hello.registries[registry] = Texts(names.names());
  }
  for (const v1::RunningStage& stage : proto.running()) {
    hello.running.push_back(FromProto(stage));
  }
  return hello;
}

v1::Report ToProto(const Report& report, int64_t serial) {
  v1::Report proto;
  proto.set_serial(serial);
  std::visit([&](const auto& kind) { Fill(kind, proto); }, report);
  return proto;
}

absl::StatusOr<Report> FromProto(const v1::Report& proto) {
  switch (proto.kind_case()) {
    case v1::Report::kDataInspected:
      return FromProto(proto.data_inspected());
    case v1::Report::kStagesPrepared:
      return StagesPrepared{
          .job = JobOf(proto.stages_prepared()),
          .generation = GenerationOf(proto.stages_prepared())};
    case v1::Report::kStageProgressed:
      return FromProto(proto.stage_progressed());
    case v1::Report::kCutEvaluated:
      return CutEvaluated{
          .job = JobOf(proto.cut_evaluated()),
          .generation = GenerationOf(proto.cut_evaluated()),
          .evaluation = FromProto(proto.cut_evaluated().evaluation())};
    case v1::Report::kStageFinished:
      return FromProto(proto.stage_finished());
    case v1::Report::kStageFailed:
      return StageFailed{.job = JobOf(proto.stage_failed()),
                         .generation = GenerationOf(proto.stage_failed()),
                         .cause = FromProto(proto.stage_failed().cause())};
    case v1::Report::kStagesStopped:
      return StagesStopped{.job = JobOf(proto.stages_stopped()),
                           .generation = GenerationOf(proto.stages_stopped())};
    case v1::Report::kFlightRecord:
      return FromProto(proto.flight_record());
    case v1::Report::kLogLine:
      return LogLine{.job = JobOf(proto.log_line()),
                     .text = proto.log_line().text()};
    case v1::Report::KIND_NOT_SET:
      break;
  }
  return UnknownKind("report", proto.serial());
}

v1::Order ToProto(const Order& order, int64_t serial) {
  v1::Order proto;
  proto.set_serial(serial);
  std::visit([&](const auto& kind) { Fill(kind, proto); }, order);
  return proto;
}

absl::StatusOr<Order> FromProto(const v1::Order& proto) {
  switch (proto.kind_case()) {
    case v1::Order::kInspectData:
      return InspectData{.job = JobOf(proto.inspect_data()),
                         .generation = GenerationOf(proto.inspect_data()),
                         .spec = FromProto(proto.inspect_data().spec())};
    case v1::Order::kPrepareStages:
      return PrepareStages{.plan = FromProto(proto.prepare_stages().plan())};
    case v1::Order::kStartStages:
      return StartStages{.job = JobOf(proto.start_stages()),
                         .generation = GenerationOf(proto.start_stages())};
    case v1::Order::kStopStages:
      return StopStages{.job = JobOf(proto.stop_stages()),
                        .generation = GenerationOf(proto.stop_stages()),
                        .reason = proto.stop_stages().reason()};
    case v1::Order::kRequestFlightRecord:
      return RequestFlightRecord{.job = JobOf(proto.request_flight_record())};
    case v1::Order::KIND_NOT_SET:
      break;
  }
  return UnknownKind("order", proto.serial());
}

}  // namespace stagecoach

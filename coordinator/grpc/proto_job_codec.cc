#include "coordinator/grpc/proto_job_codec.h"

#include "core/grpc/convert_job.h"
#include "core/grpc/convert_status.h"
#include "stagecoach/v1/record.pb.h"

namespace stagecoach {

std::string ProtoJobCodec::Encode(const JobRecord& record) const {
  v1::JobRecord proto;
  proto.set_number(record.number);
  proto.set_key(record.key);
  *proto.mutable_spec() = ToProto(record.spec);
  *proto.mutable_status() = ToProto(record.status);
  if (record.plan.has_value()) *proto.mutable_plan() = ToProto(*record.plan);
  for (const FinishedStage& stage : record.finished) {
    v1::FinishedStage& finished = *proto.add_finished();
    finished.set_stage(stage.stage.value());
    finished.mutable_digest_lines()->Assign(stage.digest_lines.begin(),
                                            stage.digest_lines.end());
  }
  proto.set_last_event(record.last_event);
  return proto.SerializeAsString();
}

absl::StatusOr<JobRecord> ProtoJobCodec::Decode(absl::string_view bytes) const {
  v1::JobRecord proto;
  if (!proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError("it is no record");
  }
  const absl::StatusOr<JobStatus> status = FromProto(proto.status());
  if (!status.ok()) {
    return absl::DataLossError(status.status().message());
  }
  JobRecord record = {.number = proto.number(),
                      .key = proto.key(),
                      .spec = FromProto(proto.spec()),
                      .status = *status,
                      .last_event = proto.last_event()};
  if (proto.has_plan()) record.plan = FromProto(proto.plan());
  for (const v1::FinishedStage& stage : proto.finished()) {
    record.finished.push_back({.stage = StageIndex(stage.stage()),
                               .digest_lines = {stage.digest_lines().begin(),
                                                stage.digest_lines().end()}});
  }
  return record;
}

}  // namespace stagecoach

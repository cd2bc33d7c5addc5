#include "coordinator/grpc/job_service.h"

#include <vector>

#include "coordinator/grpc/watch_stream.h"
#include "core/grpc/convert_job.h"
#include "core/grpc/convert_status.h"
#include "core/grpc/status.h"

namespace stagecoach {
namespace {

grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context,
                                 const absl::Status& status) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpc(status));
  return reactor;
}

// Answers later, with a job's status.
template <typename Response>
Coordinator::StatusDone AnswerWithStatus(grpc::ServerUnaryReactor* reactor,
                                         Response* response) {
  return [reactor, response](const absl::StatusOr<JobStatus>& status) {
    if (status.ok()) *response->mutable_status() = ToProto(*status);
    reactor->Finish(ToGrpc(status.status()));
  };
}

}  // namespace

grpc::ServerUnaryReactor* JobService::Submit(
    grpc::CallbackServerContext* context, const v1::SubmitRequest* request,
    v1::SubmitResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  coordinator_.Submit(FromProto(request->spec()), request->key(),
                      AnswerWithStatus(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* JobService::List(grpc::CallbackServerContext* context,
                                           const v1::ListRequest*,
                                           v1::ListResponse* response) {
  for (const JobStatus& status : coordinator_.List()) {
    *response->add_jobs() = ToProto(status);
  }
  return Answer(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* JobService::Describe(
    grpc::CallbackServerContext* context, const v1::DescribeRequest* request,
    v1::DescribeResponse* response) {
  const auto description = coordinator_.Describe(JobId(request->job()));
  if (description.ok()) {
    *response->mutable_status() = ToProto(description->status);
    *response->mutable_spec() = ToProto(description->spec);
  }
  return Answer(context, description.status());
}

grpc::ServerWriteReactor<v1::WatchResponse>* JobService::Watch(
    grpc::CallbackServerContext*, const v1::WatchRequest* request) {
  return WatchStream::Start(coordinator_.feed(), *request);
}

grpc::ServerUnaryReactor* JobService::Cancel(
    grpc::CallbackServerContext* context, const v1::CancelRequest* request,
    v1::CancelResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  coordinator_.Cancel(JobId(request->job()),
                      AnswerWithStatus(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* JobService::Workers(
    grpc::CallbackServerContext* context, const v1::WorkersRequest*,
    v1::WorkersResponse* response) {
  for (const WorkerStatus& status : coordinator_.Workers()) {
    *response->add_workers() = ToProto(status);
  }
  return Answer(context, absl::OkStatus());
}

grpc::ServerUnaryReactor* JobService::FlightRecord(
    grpc::CallbackServerContext* context,
    const v1::FlightRecordRequest* request,
    v1::FlightRecordResponse* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  coordinator_.RequestFlightRecord(
      WorkerName(request->worker()),
      [reactor, response](
          const absl::StatusOr<std::vector<stagecoach::FlightRecord>>& got) {
        if (got.ok()) {
          for (const auto& record : *got) {
            v1::FlightRecordResponse::Stage& stage = *response->add_stages();
            stage.set_job(record.job.value());
            stage.set_generation(record.generation.value());
            stage.set_stage(record.stage.value());
            stage.mutable_moves()->Assign(record.moves.begin(),
                                          record.moves.end());
          }
        }
        reactor->Finish(ToGrpc(got.status()));
      });
  return reactor;
}

}  // namespace stagecoach

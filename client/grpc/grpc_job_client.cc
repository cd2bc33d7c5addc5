#include "client/grpc/grpc_job_client.h"

#include <grpcpp/client_context.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "core/grpc/channel.h"
#include "core/grpc/convert_job.h"
#include "core/grpc/convert_status.h"
#include "core/grpc/status.h"

namespace stagecoach {
namespace {

// Submitting waits for the disk, flight records for a worker.
constexpr absl::Duration kTimeout = absl::Seconds(15);

absl::Status Pass(const v1::WatchResponse& response, JobObserver& observer) {
  if (response.has_event()) observer.OnEvent(FromProto(response.event()));
  if (response.has_status()) {
    SC_ASSIGN_OR_RETURN(const JobStatus status, FromProto(response.status()));
    observer.OnStatus(status);
  }
  return absl::OkStatus();
}

}  // namespace

GrpcJobClient::GrpcJobClient(const std::string& address)
    : peer_(absl::StrCat("the coordinator at ", address)),
      channel_(MakeChannel(address)),
      stub_(v1::JobService::NewStub(channel_)) {}

template <typename Request, typename Response>
absl::StatusOr<Response> GrpcJobClient::Call(
    grpc::Status (v1::JobService::Stub::*method)(grpc::ClientContext*,
                                                 const Request&, Response*),
    const Request& request) {
  grpc::ClientContext context;
  SetDeadline(context, kTimeout);
  Response response;
  SC_RETURN_IF_ERROR(
      FromGrpc((stub_.get()->*method)(&context, request, &response), peer_));
  return response;
}

absl::StatusOr<JobStatus> GrpcJobClient::Submit(const JobSpec& spec,
                                                const std::string& key) {
  v1::SubmitRequest request;
  *request.mutable_spec() = ToProto(spec);
  request.set_key(key);
  SC_ASSIGN_OR_RETURN(const v1::SubmitResponse response,
                      Call(&v1::JobService::Stub::Submit, request));
  return FromProto(response.status());
}

absl::StatusOr<std::vector<JobStatus>> GrpcJobClient::List() {
  SC_ASSIGN_OR_RETURN(const v1::ListResponse response,
                      Call(&v1::JobService::Stub::List, v1::ListRequest()));
  std::vector<JobStatus> jobs;
  for (const v1::JobStatus& proto : response.jobs()) {
    SC_ASSIGN_OR_RETURN(jobs.emplace_back(), FromProto(proto));
  }
  return jobs;
}

absl::StatusOr<JobDescription> GrpcJobClient::Describe(const JobId& job) {
  v1::DescribeRequest request;
  request.set_job(job.value());
  SC_ASSIGN_OR_RETURN(const v1::DescribeResponse response,
                      Call(&v1::JobService::Stub::Describe, request));
  JobDescription description{.spec = FromProto(response.spec())};
  SC_ASSIGN_OR_RETURN(description.status, FromProto(response.status()));
  return description;
}

absl::Status GrpcJobClient::Watch(const JobId& job, int64_t after_sequence,
                                  JobObserver& observer, Interrupt& interrupt) {
  v1::WatchRequest request;
  request.set_job(job.value());
  request.set_after_sequence(after_sequence);
  grpc::ClientContext context;
  const Interrupt::Registration cancel(interrupt,
                                       [&context] { context.TryCancel(); });
  const auto stream = stub_->Watch(&context, request);
  v1::WatchResponse response;
  absl::Status understood;
  while (stream->Read(&response)) {
    understood = Pass(response, observer);
    if (!understood.ok()) context.TryCancel();
  }
  const grpc::Status status = stream->Finish();
  SC_RETURN_IF_ERROR(understood);
  return FromGrpc(status, peer_);
}

absl::StatusOr<JobStatus> GrpcJobClient::Cancel(const JobId& job) {
  v1::CancelRequest request;
  request.set_job(job.value());
  SC_ASSIGN_OR_RETURN(const v1::CancelResponse response,
                      Call(&v1::JobService::Stub::Cancel, request));
  return FromProto(response.status());
}

absl::StatusOr<std::vector<WorkerStatus>> GrpcJobClient::Workers() {
  SC_ASSIGN_OR_RETURN(
      const v1::WorkersResponse response,
      Call(&v1::JobService::Stub::Workers, v1::WorkersRequest()));
  std::vector<WorkerStatus> workers;
  for (const v1::WorkerStatus& proto : response.workers()) {
    workers.push_back(FromProto(proto));
  }
  return workers;
}

absl::StatusOr<std::vector<FlightRecord>> GrpcJobClient::FlightRecords(
    const WorkerName& worker) {
  v1::FlightRecordRequest request;
  request.set_worker(worker.value());
  SC_ASSIGN_OR_RETURN(const v1::FlightRecordResponse response,
                      Call(&v1::JobService::Stub::FlightRecord, request));
  std::vector<FlightRecord> records;
  for (const auto& stage : response.stages()) {
    records.push_back({.job = JobId(stage.job()),
                       .generation = Generation(stage.generation()),
                       .stage = StageIndex(stage.stage()),
                       .moves = {stage.moves().begin(), stage.moves().end()}});
  }
  return records;
}

}  // namespace stagecoach

#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>
#include <vector>

#include "client/job_client.h"
#include "stagecoach/v1/jobs.grpc.pb.h"

namespace stagecoach {

// A JobClient over JobService. Connects when first used, and again after a
// loss.
class GrpcJobClient final : public JobClient {
 public:
  // `address` is "host:port".
  explicit GrpcJobClient(const std::string& address);

  absl::StatusOr<JobStatus> Submit(const JobSpec& spec,
                                   const std::string& key) override;
  absl::StatusOr<std::vector<JobStatus>> List() override;
  absl::StatusOr<JobDescription> Describe(const JobId& job) override;
  absl::Status Watch(const JobId& job, int64_t after_sequence,
                     JobObserver& observer, Interrupt& interrupt) override;
  absl::StatusOr<JobStatus> Cancel(const JobId& job) override;
  absl::StatusOr<std::vector<WorkerStatus>> Workers() override;
  absl::StatusOr<std::vector<FlightRecord>> FlightRecords(
      const WorkerName& worker) override;

 private:
  // A unary call with a deadline.
  template <typename Request, typename Response>
  absl::StatusOr<Response> Call(
      grpc::Status (v1::JobService::Stub::*method)(grpc::ClientContext*,
                                                   const Request&, Response*),
      const Request& request);

  const std::string peer_;  // for messages
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::JobService::Stub> stub_;
};

}  // namespace stagecoach

#pragma once

#include "coordinator/coordinator.h"
#include "stagecoach/v1/jobs.grpc.pb.h"

namespace stagecoach {

// Clients' calls over gRPC: translates, and nothing else. `coordinator`
// outlives the service.
//
// Thread-safe.
class JobService final : public v1::JobService::CallbackService {
 public:
  explicit JobService(Coordinator& coordinator) : coordinator_(coordinator) {}

  grpc::ServerUnaryReactor* Submit(grpc::CallbackServerContext* context,
                                   const v1::SubmitRequest* request,
                                   v1::SubmitResponse* response) override;
  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext* context,
                                 const v1::ListRequest* request,
                                 v1::ListResponse* response) override;
  grpc::ServerUnaryReactor* Describe(grpc::CallbackServerContext* context,
                                     const v1::DescribeRequest* request,
                                     v1::DescribeResponse* response) override;
  grpc::ServerWriteReactor<v1::WatchResponse>* Watch(
      grpc::CallbackServerContext* context,
      const v1::WatchRequest* request) override;
  grpc::ServerUnaryReactor* Cancel(grpc::CallbackServerContext* context,
                                   const v1::CancelRequest* request,
                                   v1::CancelResponse* response) override;
  grpc::ServerUnaryReactor* Workers(grpc::CallbackServerContext* context,
                                    const v1::WorkersRequest* request,
                                    v1::WorkersResponse* response) override;
  grpc::ServerUnaryReactor* FlightRecord(
      grpc::CallbackServerContext* context,
      const v1::FlightRecordRequest* request,
      v1::FlightRecordResponse* response) override;

 private:
  Coordinator& coordinator_;
};

}  // namespace stagecoach

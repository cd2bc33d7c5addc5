#pragma once

#include "coordinator/coordinator.h"
#include "stagecoach/v1/session.grpc.pb.h"

namespace stagecoach {

// Workers' sessions over gRPC: translates, and nothing else. `coordinator`
// outlives the service.
//
// Thread-safe.
class SessionService final : public v1::SessionService::CallbackService {
 public:
  explicit SessionService(Coordinator& coordinator)
      : coordinator_(coordinator) {}

  grpc::ServerBidiReactor<v1::WorkerMessage, v1::CoordinatorMessage>* Session(
      grpc::CallbackServerContext* context) override;

 private:
  Coordinator& coordinator_;
};

}  // namespace stagecoach

#include "coordinator/grpc/session_service.h"

#include "coordinator/grpc/session_stream.h"

namespace stagecoach {

grpc::ServerBidiReactor<v1::WorkerMessage, v1::CoordinatorMessage>*
SessionService::Session(grpc::CallbackServerContext* context) {
  return SessionStream::Start(coordinator_, *context);
}

}  // namespace stagecoach

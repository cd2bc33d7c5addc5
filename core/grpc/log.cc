#include "core/grpc/log.h"

#include <grpc/support/log.h>

#include "core/log/log.h"

namespace stagecoach {

void RouteGrpcLog() {
  gpr_set_log_function([](gpr_log_func_args* line) {
    LogDebug("gRPC: ", line->message, " (", line->file, ":", line->line, ")");
  });
}

}  // namespace stagecoach

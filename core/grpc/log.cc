#include "core/grpc/log.h"

#include <grpc/support/log.h>

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/log/log.h"

namespace stagecoach {

void RouteGrpcLog() {
  gpr_set_log_function([](gpr_log_func_args* line) {
    const std::string text = absl::StrCat("gRPC: ", line->message, " (",
                                          line->file, ":", line->line, ")");
    // Its last words before it ends the process.
    if (absl::StartsWith(line->message, "assertion failed")) {
      LogError(text);
    } else {
      LogDebug(text);
    }
  });
}

}  // namespace stagecoach

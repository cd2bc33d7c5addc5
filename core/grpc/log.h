#pragma once

namespace stagecoach {

// Sends what gRPC itself would print to stderr to our log, as debugging: what
// matters of it reaches users as the error of a call.
void RouteGrpcLog();

}  // namespace stagecoach

#pragma once

#include <grpcpp/support/status.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "stagecoach/v1/status.pb.h"

namespace stagecoach {

// Errors across the wire. Codes are the same on both sides; payloads, such as
// the field that an error is about, ride in the error details.

// For the server's side of a call. Texts beyond 2 KB are cut, since they travel
// in a header; payloads that do not fit either are left out.
grpc::Status ToGrpc(const absl::Status& status);

// For the client's side. An error that gRPC made, rather than the peer's
// ToGrpc(), is put in words that name `peer`, such as "the coordinator at
// 127.0.0.1:7070": kUnavailable then means that it cannot be reached.
absl::Status FromGrpc(const grpc::Status& status, absl::string_view peer);

// Inside messages, without a limit.
v1::Status ToProto(const absl::Status& status);
absl::Status FromProto(const v1::Status& status);

}  // namespace stagecoach

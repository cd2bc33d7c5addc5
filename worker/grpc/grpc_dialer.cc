#include "worker/grpc/grpc_dialer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/grpc/channel.h"
#include "worker/grpc/grpc_coordinator_stream.h"

namespace stagecoach {

GrpcDialer::GrpcDialer(const std::string& address)
    : peer_(absl::StrCat("the coordinator at ", address)),
      stub_(v1::SessionService::NewStub(MakeChannel(address))) {}

// Whoever lets go of the process's last channel ends gRPC's callback threads
// and waits for them. A stream that outlives its dialer ends on one of those,
// which would wait for itself: one channel is kept for good.
std::shared_ptr<CoordinatorStream> GrpcDialer::Open(CoordinatorEvents events) {
  [[maybe_unused]] static const auto* const kept =
      new std::shared_ptr<v1::SessionService::Stub>(stub_);
  return GrpcCoordinatorStream::Open(stub_, peer_, std::move(events));
}

}  // namespace stagecoach

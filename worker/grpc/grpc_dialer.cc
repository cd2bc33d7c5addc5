#include "worker/grpc/grpc_dialer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/grpc/channel.h"
#include "worker/grpc/grpc_coordinator_stream.h"

namespace stagecoach {

GrpcDialer::GrpcDialer(const std::string& address)
    : peer_(absl::StrCat("the coordinator at ", address)),
      stub_(v1::SessionService::NewStub(MakeChannel(address))) {}

std::shared_ptr<CoordinatorStream> GrpcDialer::Open(CoordinatorEvents events) {
  return GrpcCoordinatorStream::Open(stub_, peer_, std::move(events));
}

}  // namespace stagecoach

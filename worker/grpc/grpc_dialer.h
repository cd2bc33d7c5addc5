#pragma once

#include <memory>
#include <string>

#include "stagecoach/v1/session.grpc.pb.h"
#include "worker/coordinator_stream.h"

namespace stagecoach {

// Opens streams of SessionService at one address. They may outlive it.
//
// Thread-safe.
class GrpcDialer final : public CoordinatorDialer {
 public:
  // `address` is "host:port".
  explicit GrpcDialer(const std::string& address);

  std::shared_ptr<CoordinatorStream> Open(CoordinatorEvents events) override;
  std::string peer() const override { return peer_; }

 private:
  const std::string peer_;
  const std::shared_ptr<v1::SessionService::Stub> stub_;
};

}  // namespace stagecoach

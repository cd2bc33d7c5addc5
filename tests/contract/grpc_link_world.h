#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/grpc/server.h"
#include "tests/contract/link_contract.h"
#include "tests/fakes/fake_random.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/grpc/grpc_network.h"

namespace stagecoach {

// A worker's network and its server on a free port of the loopback device.
class GrpcWorker {
 public:
  GrpcWorker(FrameMemory& memory, Random& random,
             const GrpcNetwork::Options& options = {});
  ~GrpcWorker();

  GrpcNetwork& network() { return network_; }
  Server& server() { return *server_; }
  const std::string& address() const { return address_; }

 private:
  GrpcNetwork network_;
  std::unique_ptr<Server> server_;
  std::string address_;
};

// Two workers in this process, over real connections.
class GrpcLinkWorld final : public LinkWorld {
 public:
  LinkNetwork& lower() override { return lower_->network(); }
  LinkNetwork& upper() override { return upper_->network(); }
  std::string upper_address() const override { return upper_->address(); }
  void KillUpper() override { upper_.reset(); }

 private:
  AlignedFrameMemory memory_;
  FakeRandom random_;
  std::unique_ptr<GrpcWorker> lower_ =
      std::make_unique<GrpcWorker>(memory_, random_);
  std::unique_ptr<GrpcWorker> upper_ =
      std::make_unique<GrpcWorker>(memory_, random_);
};

}  // namespace stagecoach

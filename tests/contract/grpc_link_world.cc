#include "tests/contract/grpc_link_world.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace stagecoach {

GrpcWorker::GrpcWorker(FrameMemory& memory, Random& random,
                       const GrpcNetwork::Options& options)
    : network_(options, memory, random) {
  ServerOptions server;
  server.keepalive_time = options.keepalive_time;
  server.keepalive_timeout = options.keepalive_timeout;
  server.configure = [this](grpc::ServerBuilder& builder) {
    network_.Configure(builder);
  };
  auto started = Server::Start(server, {&network_.service()});
  SC_CHECK(started.ok(), started.status().ToString());
  server_ = *std::move(started);
  address_ = absl::StrCat("127.0.0.1:", server_->port());
  network_.Start(address_);
}

GrpcWorker::~GrpcWorker() {
  server_->Shutdown(absl::ZeroDuration());
  network_.Stop();
}

}  // namespace stagecoach

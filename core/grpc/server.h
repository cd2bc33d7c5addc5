#pragma once

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace stagecoach {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  // 0: any free one
  // A client that is silent for both together is taken for gone. Clients may
  // ping twice as often.
  absl::Duration keepalive_time = absl::Seconds(10);
  absl::Duration keepalive_timeout = absl::Seconds(10);
  // Adds what is not a plain service, such as completion queues.
  std::function<void(grpc::ServerBuilder&)> configure;
};

// A gRPC server of ours: one port that nobody shares, the standard health
// service, reflection, and keepalive that suits MakeChannel().
//
// Thread-safe.
class Server {
 public:
  // The services outlive the server.
  //   kUnavailable: the port is taken; kInvalidArgument: no such address here;
  //   kPermissionDenied: the port is reserved. The text names the remedy.
  static absl::StatusOr<std::unique_ptr<Server>> Start(
      const ServerOptions& options,
      const std::vector<grpc::Service*>& services);

  // Shuts down at once if Shutdown() was not called.
  ~Server();

  int port() const { return port_; }

  // What the health service answers, for every service. Starts as true.
  void SetServing(bool serving);

  // Takes no more calls, lets those that run finish until `timeout`, then
  // cancels them. Once.
  void Shutdown(absl::Duration timeout);

 private:
  Server(std::unique_ptr<grpc::Server> server, int port);

  std::unique_ptr<grpc::Server> server_;
  const int port_;
};

// "host:port", with brackets around an IPv6 address.
std::string JoinHostPort(const std::string& host, int port);

}  // namespace stagecoach

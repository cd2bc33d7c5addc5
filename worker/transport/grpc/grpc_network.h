#pragma once

#include <grpcpp/server_builder.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "core/base/random.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/grpc/data_plane_thread.h"
#include "worker/transport/grpc/exchange_call.h"
#include "worker/transport/grpc/link_connector.h"
#include "worker/transport/link_network.h"
#include "worker/transport/rendezvous.h"

namespace stagecoach {

// Links between processes, over gRPC. Those between two stages of this worker
// stay in the process. In the order of a program's life:
//
//   GrpcNetwork network({}, memory, random);
//   ServerOptions options;  // of core/grpc/server.h
//   options.configure = [&](grpc::ServerBuilder& b) { network.Configure(b); };
//   auto server = Server::Start(options, {&network.service()});
//   network.Start(advertised_address);
//   ...                               // links come, and are all closed
//   network.Drain(absl::Seconds(2));  // lets what they sent flow
//   (*server)->Shutdown(absl::Seconds(2));
//   network.Stop();                   // then both may be destroyed
//
// Thread-safe, but for this order. Its receivers are called from one thread.
class GrpcNetwork final : public LinkNetwork {
 public:
  struct Options {
    // An upper stage that is silent for both together is taken for gone. What
    // lower ones may do is set by ServerOptions.
    absl::Duration keepalive_time = absl::Seconds(10);
    absl::Duration keepalive_timeout = absl::Seconds(10);
    // How long a caller may take to offer its link.
    absl::Duration offer_timeout = absl::Seconds(10);
    // How long a closed link may take to deliver what it was given before.
    absl::Duration flush_timeout = absl::Seconds(10);
  };

  // Both outlive the network and its links.
  GrpcNetwork(const Options& options, FrameMemory& memory, Random& random);
  ~GrpcNetwork() override;

  // What the server offers to neighbours, and how; for ServerOptions of
  // core/grpc/server.h, which sets what all our servers need.
  grpc::Service& service() { return service_; }
  void Configure(grpc::ServerBuilder& builder);

  // The server listens; others reach it at `address`, which is also the one
  // that Connect() takes for this worker itself.
  void Start(const std::string& address);

  // Waits until every link has ended, but no longer than `timeout`.
  void Drain(absl::Duration timeout);

  // Breaks what links there are, answers what still waits with kCancelled, and
  // ends the thread. After the server's Shutdown() and before its destruction.
  // Idempotent; the destructor calls it.
  void Stop();

  void Expect(const LinkSpec& spec, FrameReceiver& receiver,
              absl::Duration timeout, Done done) override;
  void Connect(const LinkSpec& spec, const std::string& address,
               FrameReceiver& receiver, absl::Duration timeout,
               Done done) override;
  void Forget(const JobId& job, Generation generation) override;

 private:
  // On the data plane thread: the connectors that still try.
  struct Connectors {
    int64_t next_serial = 0;
    std::map<int64_t, std::shared_ptr<LinkConnector>> trying;
  };

  static void GiveUp(Connectors& connectors, const absl::Status& why,
                     const std::function<bool(const LinkSpec&)>& matches);

  const Options options_;
  FrameMemory& memory_;
  Random& random_;
  RawDataPlaneService service_;
  std::string address_;
  grpc::ServerCompletionQueue* queue_ = nullptr;  // the thread's
  std::shared_ptr<DataPlaneThread> thread_;
  std::shared_ptr<Rendezvous> rendezvous_;
  const std::shared_ptr<Connectors> connectors_;
};

}  // namespace stagecoach

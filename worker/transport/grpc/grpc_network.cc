#include "worker/transport/grpc/grpc_network.h"

#include <grpc/grpc.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <functional>
#include <utility>

#include "core/base/check.h"
#include "worker/transport/grpc/frame_wire.h"
#include "worker/transport/grpc/link_acceptor.h"
#include "worker/transport/link_spec.h"

namespace stagecoach {
namespace {

// One HTTP/2 frame may take a whole chunk: fewer, larger writes.
constexpr int kMaxHttp2FrameBytes = 16777215;
constexpr int kReadChunkBytes = 1 << 20;

// What the server may hold of messages that are not complete: gRPC refuses one
// that is too long only when it has all of it.
constexpr size_t kMaxBufferedBytes = size_t{256} << 20;

// Keeps gRPC from ending itself with its last object: a helper thread of its
// may poll a closed connection for another 10 s, and the process's exit would
// wait for that.
void KeepGrpcUntilExit() {
  static const bool once = [] {
    grpc_init();
    return true;
  }();
  static_cast<void>(once);
}

int Milliseconds(absl::Duration duration) {
  return static_cast<int>(absl::ToInt64Milliseconds(duration));
}

// What both ends of a connection for tensors set alike. Add(name, value).
void SetArguments(const std::function<void(const char*, int)>& add) {
  add(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kMaxHttp2FrameBytes);
  add(GRPC_ARG_TCP_MIN_READ_CHUNK_SIZE, kReadChunkBytes);
  add(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadChunkBytes);
}

std::shared_ptr<grpc::Channel> MakeDataChannel(
    const std::string& address, const GrpcNetwork::Options& options) {
  grpc::ChannelArguments arguments;
  SetArguments(
      [&](const char* name, int value) { arguments.SetInt(name, value); });
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS,
                   Milliseconds(options.keepalive_time));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                   Milliseconds(options.keepalive_timeout));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(kMaxWireFrameBytes));
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // A connection of its own, which looks again soon whether the peer is up.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 2000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2000);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(),
                                   arguments);
}

}  // namespace

GrpcNetwork::GrpcNetwork(const Options& options, FrameMemory& memory,
                         Random& random)
    : options_(options),
      memory_(memory),
      random_(random),
      connectors_(std::make_shared<Connectors>()) {}

GrpcNetwork::~GrpcNetwork() { Stop(); }

void GrpcNetwork::Stop() {
  if (thread_ == nullptr) return;
  const absl::Status why = absl::CancelledError("the worker stops");
  rendezvous_->ForgetAll(address_);
  thread_->Post([connectors = connectors_, why] {
    GiveUp(*connectors, why, [](const LinkSpec&) { return true; });
  });
  thread_->Stop();
}

void GrpcNetwork::Configure(grpc::ServerBuilder& builder) {
  KeepGrpcUntilExit();
  SetArguments([&](const char* name, int value) {
    builder.AddChannelArgument(name, value);
  });
  builder.SetMaxReceiveMessageSize(static_cast<int>(kMaxWireFrameBytes));
  grpc::ResourceQuota quota("data plane");
  quota.Resize(kMaxBufferedBytes);
  builder.SetResourceQuota(quota);
  std::unique_ptr<grpc::ServerCompletionQueue> queue =
      builder.AddCompletionQueue();
  queue_ = queue.get();
  thread_ = std::make_shared<DataPlaneThread>(std::move(queue));
  rendezvous_ = std::make_shared<Rendezvous>(*thread_, memory_);
}

void GrpcNetwork::Start(const std::string& address) {
  SC_CHECK(thread_ != nullptr, "Start() before Configure()");
  address_ = address;
  auto acceptor = std::make_shared<LinkAcceptor>(
      LinkAcceptor::Options{.address = address_,
                            .offer_timeout = options_.offer_timeout,
                            .flush_timeout = options_.flush_timeout},
      service_, *queue_, thread_, rendezvous_, memory_);
  // Here rather than on the thread: the server is up for sure.
  acceptor->AcceptNext();
  thread_->Start();
}

void GrpcNetwork::Drain(absl::Duration timeout) {
  if (thread_ != nullptr) thread_->AwaitNoCalls(timeout);
}

void GrpcNetwork::Expect(const LinkSpec& spec, FrameReceiver& receiver,
                         absl::Duration timeout, Done done) {
  rendezvous_->Expect({.owner = address_,
                       .at = address_,
                       .spec = spec,
                       .receiver = &receiver,
                       .done = std::move(done)},
                      timeout);
}

void GrpcNetwork::Connect(const LinkSpec& spec, const std::string& address,
                          FrameReceiver& receiver, absl::Duration timeout,
                          Done done) {
  if (address == address_) {
    rendezvous_->Connect({.owner = address_,
                          .at = address_,
                          .spec = spec,
                          .receiver = &receiver,
                          .done = std::move(done)},
                         timeout);
    return;
  }
  if (absl::Status status = Validate(spec); !status.ok()) {
    PostDone(*thread_, std::move(done), std::move(status));
    return;
  }
  auto connect = [this, connectors = connectors_, spec, address, &receiver,
                  timeout, done = std::move(done)] {
    const int64_t serial = connectors->next_serial++;
    auto connector = std::make_shared<LinkConnector>(
        LinkConnector::Options{.spec = spec,
                               .address = address,
                               .timeout = timeout,
                               .flush_timeout = options_.flush_timeout},
        MakeDataChannel(address, options_), receiver,
        [connectors, serial, done](absl::StatusOr<std::unique_ptr<Link>> link) {
          connectors->trying.erase(serial);
          done(std::move(link));
        },
        thread_, memory_, random_);
    connectors->trying.emplace(serial, connector);
    connector->Start();
  };
  thread_->Post(std::move(connect));
}

void GrpcNetwork::Forget(const JobId& job, Generation generation) {
  rendezvous_->Forget(address_, job, generation);
  thread_->Post([connectors = connectors_, job, generation] {
    GiveUp(*connectors, absl::CancelledError("the link is not wanted any more"),
           [&](const LinkSpec& spec) {
             return spec.job == job && spec.generation == generation;
           });
  });
}

void GrpcNetwork::GiveUp(Connectors& connectors, const absl::Status& why,
                         const std::function<bool(const LinkSpec&)>& matches) {
  const auto trying = connectors.trying;  // those that end leave the original
  for (const auto& [serial, connector] : trying) {
    if (matches(connector->spec())) connector->GiveUp(why);
  }
}

}  // namespace stagecoach

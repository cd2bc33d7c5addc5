#include "core/grpc/server.h"

#include <arpa/inet.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/security/server_credentials.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/grpc/channel.h"
#include "core/grpc/log.h"

namespace stagecoach {
namespace {

// Once per process, before its first server.
void InitialisePlugins() {
  static const bool once = [] {
    RouteGrpcLog();
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    return true;
  }();
  static_cast<void>(once);
}

int Milliseconds(absl::Duration duration) {
  return static_cast<int>(absl::ToInt64Milliseconds(duration));
}

void SetArguments(const ServerOptions& options, grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxControlMessageBytes);
  // Otherwise two servers may hold one port, and clients reach either.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS,
                             Milliseconds(options.keepalive_time));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             Milliseconds(options.keepalive_timeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  // Half of the clients' interval, or their pings count as an attack.
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
      Milliseconds(options.keepalive_time / 2));
}

// Binds as gRPC does, to learn the system's error: gRPC does not tell it.
int BindError(const std::string& host, int port) {
  addrinfo hints = {};
  hints.ai_flags = AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) !=
      0) {
    return EADDRNOTAVAIL;
  }
  const int fd = socket(found->ai_family, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  const bool free = bind(fd, found->ai_addr, found->ai_addrlen) == 0;
  // A port in use may be bound, but not listened on.
  const int error = free && listen(fd, 1) == 0 ? 0 : errno;
  close(fd);
  freeaddrinfo(found);
  return error;
}

absl::Status StartError(const std::string& host, int port) {
  const std::string address = JoinHostPort(host, port);
  switch (const int error = BindError(host, port)) {
    case EADDRNOTAVAIL:
      return absl::InvalidArgumentError(
          absl::StrCat("cannot listen on ", address, ": this machine has no ",
                       "address ", host, "; use 127.0.0.1 or 0.0.0.0"));
    case EACCES:
      return absl::PermissionDeniedError(
          absl::StrCat("cannot listen on ", address, ": port ", port,
                       " is reserved for root; use one above 1023"));
    case EADDRINUSE:
    case 0:  // free by now
      return absl::UnavailableError(
          absl::StrCat("cannot listen on ", address, ": port ", port,
                       " is taken by another program; stop that one or use ",
                       "another port (0 takes any free one)"));
    default:
      return absl::UnavailableError(
          absl::StrCat("cannot listen on ", address, ": ", strerror(error)));
  }
}

}  // namespace

std::string JoinHostPort(const std::string& host, int port) {
  const bool bare_ipv6 =
      host.find(':') != std::string::npos && host.front() != '[';
  return bare_ipv6 ? absl::StrCat("[", host, "]:", port)
                   : absl::StrCat(host, ":", port);
}

absl::StatusOr<std::unique_ptr<Server>> Server::Start(
    const ServerOptions& options, const std::vector<grpc::Service*>& services) {
  InitialisePlugins();
  grpc::ServerBuilder builder;
  SetArguments(options, builder);
  int port = 0;
  builder.AddListeningPort(JoinHostPort(options.host, options.port),
                           grpc::InsecureServerCredentials(), &port);
  for (grpc::Service* service : services) builder.RegisterService(service);
  if (options.configure) options.configure(builder);
  std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0) {
    return StartError(options.host, options.port);
  }
  return std::unique_ptr<Server>(new Server(std::move(server), port));
}

Server::Server(std::unique_ptr<grpc::Server> server, int port)
    : server_(std::move(server)), port_(port) {}

Server::~Server() { Shutdown(absl::ZeroDuration()); }

void Server::SetServing(bool serving) {
  server_->GetHealthCheckService()->SetServingStatus(serving);
}

void Server::Shutdown(absl::Duration timeout) {
  SetServing(false);
  server_->Shutdown(absl::ToChronoTime(absl::Now() + timeout));
}

}  // namespace stagecoach

#include "core/metrics/metrics_server.h"

#include <arpa/inet.h>
#include <civetweb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/base/mutex.h"

namespace stagecoach {
namespace {

constexpr char kText[] = "text/plain; charset=utf-8";
constexpr char kExposition[] = "text/plain; version=0.0.4; charset=utf-8";

int Send(mg_connection* connection, int code, const char* reason,
         const char* type, const std::string& body) {
  mg_printf(connection,
            "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
            "Connection: close\r\n\r\n",
            code, reason, type, body.size());
  const bool head =
      absl::string_view(mg_get_request_info(connection)->request_method) ==
      "HEAD";
  if (!head) mg_write(connection, body.data(), body.size());
  return code;
}

// Makes the server's master thread look up from its wait of two seconds.
void Wake(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  [[maybe_unused]] const int ignored =
      connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  close(fd);
}

// Stops the server at once rather than after two seconds.
void Stop(mg_context* context, int port) {
  Mutex mutex;
  bool stopped = false;
  std::thread stopper([&] {
    mg_stop(context);
    const MutexLock lock(mutex);
    stopped = true;
  });
  const absl::Duration pause = absl::Milliseconds(10);
  mutex.Lock();
  while (!mutex.AwaitWithTimeout(absl::Condition(&stopped), pause)) Wake(port);
  mutex.Unlock();
  stopper.join();
}

std::string ListenError(const MetricsServerOptions& options) {
  return absl::StrCat("cannot serve metrics on ", options.host, ":",
                      options.port, ": port ", options.port,
                      " is taken by another program or reserved; stop that one "
                      "or use another port (0 takes any free one)");
}

}  // namespace

MetricsServer::MetricsServer(Metrics& metrics, Readiness readiness)
    : metrics_(metrics), readiness_(std::move(readiness)) {}

MetricsServer::~MetricsServer() {
  if (context_ != nullptr) Stop(context_, port_);
  mg_exit_library();
}

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::Start(
    const MetricsServerOptions& options, Metrics& metrics,
    Readiness readiness) {
  mg_init_library(MG_FEATURES_DEFAULT);
  std::unique_ptr<MetricsServer> server(
      new MetricsServer(metrics, std::move(readiness)));
  const std::string address = absl::StrCat(options.host, ":", options.port);
  std::array<const char*, 7> settings = {
      "listening_ports",    address.c_str(), "num_threads", "2",
      "request_timeout_ms", "5000",          nullptr};
  const mg_callbacks callbacks = {};
  mg_init_data init = {&callbacks, nullptr, settings.data()};
  server->context_ = mg_start2(&init, nullptr);
  if (server->context_ == nullptr) {
    return absl::UnavailableError(ListenError(options));
  }
  mg_server_port port = {};
  mg_get_server_ports(server->context_, 1, &port);
  server->port_ = port.port;
  mg_set_request_handler(server->context_, "/", &Answer, server.get());
  return server;
}

int MetricsServer::Answer(mg_connection* connection, void* self) {
  const mg_request_info& request = *mg_get_request_info(connection);
  const absl::string_view method = request.request_method;
  if (method != "GET" && method != "HEAD") {
    return Send(connection, 405, "Method Not Allowed", kText, "use GET\n");
  }
  return static_cast<MetricsServer*>(self)->Respond(connection,
                                                    request.local_uri);
}

int MetricsServer::Respond(mg_connection* connection, const std::string& path) {
  if (path == "/metrics") {
    return Send(connection, 200, "OK", kExposition, metrics_.Scrape());
  }
  if (path == "/healthz") return Send(connection, 200, "OK", kText, "ok\n");
  if (path == "/readyz") {
    const std::string reason = readiness_();
    if (reason.empty()) return Send(connection, 200, "OK", kText, "ok\n");
    return Send(connection, 503, "Service Unavailable", kText,
                absl::StrCat(reason, "\n"));
  }
  return Send(connection, 404, "Not Found", kText,
              "here are /metrics, /healthz and /readyz\n");
}

}  // namespace stagecoach

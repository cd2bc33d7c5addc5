#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/metrics/metrics.h"

struct mg_context;
struct mg_connection;

namespace stagecoach {

struct MetricsServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;  // 0: any free one
};

// Answers over HTTP: /metrics with all series, /healthz with 200 while the
// process lives, /readyz with 200 or, with 503, why it is not ready.
//
// Thread-safe.
class MetricsServer {
 public:
  // Why the process cannot do its work now; empty when it can. Called on the
  // server's threads.
  using Readiness = std::function<std::string()>;

  // `metrics` outlives the server.
  //   kUnavailable: cannot listen there; the text says why.
  static absl::StatusOr<std::unique_ptr<MetricsServer>> Start(
      const MetricsServerOptions& options, Metrics& metrics,
      Readiness readiness);

  // Joins the server's threads.
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  int port() const { return port_; }

 private:
  MetricsServer(Metrics& metrics, Readiness readiness);

  static int Answer(mg_connection* connection, void* self);
  int Respond(mg_connection* connection, const std::string& path);

  Metrics& metrics_;
  const Readiness readiness_;
  mg_context* context_ = nullptr;
  int port_ = 0;
};

}  // namespace stagecoach

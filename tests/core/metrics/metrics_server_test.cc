#include "core/metrics/metrics_server.h"

#include "gtest/gtest.h"
#include "tests/core/metrics/http_get.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class MetricsServerTest : public testing::Test {
 protected:
  void SetUp() override {
    SC_ASSERT_OK_AND_ASSIGN(server_, MetricsServer::Start({}, metrics_, [this] {
                              return reason_;
                            }));
  }

  std::string Get(const std::string& path) {
    return HttpGet(server_->port(), path);
  }

  Metrics metrics_;
  std::string reason_;
  std::unique_ptr<MetricsServer> server_;
};

TEST_F(MetricsServerTest, ServesTheSeries) {
  Gauge step = metrics_.AddGauge("job_step", "Step", {});
  step.Set(12);

  const std::string answer = Get("/metrics");

  EXPECT_THAT(answer, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answer, HasSubstr("version=0.0.4"));
  EXPECT_THAT(answer, HasSubstr("stagecoach_job_step 12"));
}

TEST_F(MetricsServerTest, IsHealthyWhileItLives) {
  reason_ = "draining";

  EXPECT_THAT(Get("/healthz"), StartsWith("HTTP/1.1 200"));
}

TEST_F(MetricsServerTest, IsReadyUnlessThereIsAReason) {
  EXPECT_THAT(Get("/readyz"), StartsWith("HTTP/1.1 200"));

  reason_ = "draining";

  EXPECT_THAT(Get("/readyz"), StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(Get("/readyz"), HasSubstr("draining"));
}

TEST_F(MetricsServerTest, NamesItsPagesWhereThereIsNone) {
  EXPECT_THAT(Get("/metrics/deeper"), StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(Get("/"), HasSubstr("/metrics, /healthz and /readyz"));
}

TEST_F(MetricsServerTest, ChangesNothingForAnyone) {
  EXPECT_THAT(HttpGet(server_->port(), "/metrics", "DELETE"),
              StartsWith("HTTP/1.1 405"));
}

TEST_F(MetricsServerTest, RefusesAPortThatIsTaken) {
  const auto second =
      MetricsServer::Start({.port = server_->port()}, metrics_, nullptr);

  EXPECT_THAT(second, StatusIs(absl::StatusCode::kUnavailable,
                               HasSubstr("cannot serve metrics on 127.0.0.1")));
}

}  // namespace
}  // namespace stagecoach

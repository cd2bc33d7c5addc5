#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "absl/time/time.h"
#include "core/base/executor.h"
#include "core/base/random.h"
#include "core/session/report.h"
#include "worker/cluster.h"
#include "worker/coordinator_stream.h"
#include "worker/report_outbox.h"
#include "worker/transport/backoff.h"

namespace stagecoach {

// The worker's end of its session with the coordinator: one stream after the
// other, for ever, with a pause between tries that grows. Says hello, renews
// the lease each second, and sends reports until they are acknowledged.
//
// Thread-confined to its executor, but for the constructor and connected().
class WorkerSession final : public Cluster {
 public:
  struct Options {
    Hello hello;  // but for `running` and `last_order`
    absl::Duration renewal = absl::Seconds(1);
    absl::Duration welcome_timeout = absl::Seconds(10);
  };

  // The coordinator will never take this worker as it is (see
  // CoordinatorEvents::ended). Called on the executor; no more tries follow.
  using Refused = std::function<void(const absl::Status&)>;

  // All outlive Close(). When it is destroyed, the executor runs nothing of it
  // any more.
  WorkerSession(Options options, CoordinatorDialer& dialer, Executor& executor,
                Random& random, Refused refused);
  ~WorkerSession() override;

  // Ends the session for good: nothing is posted to the executor afterwards.
  void Close();

  void Start(ClusterListener& listener) override;
  void Send(Report report) override;
  bool connected() const override { return welcomed_; }

 private:
  class Door;

  void Open();
  CoordinatorEvents EventsOf(int64_t stream);
  void OnWelcome(int64_t last_report);
  void OnAcknowledged(int64_t last_report);
  void OnOrder(int64_t serial, const absl::StatusOr<Order>& order);
  void OnEnd(const absl::Status& why);
  void Renew(int64_t stream);
  void SendWhatWaits();

  const Options options_;
  CoordinatorDialer& dialer_;
  Executor& executor_;
  Random& random_;
  const Refused refused_;
  const std::shared_ptr<Door> door_;

  ClusterListener* listener_ = nullptr;
  ReportOutbox outbox_;
  std::optional<Backoff> backoff_;  // none: the last try succeeded
  int64_t streams_ = 0;  // so far; tells a late word of an earlier one
  std::shared_ptr<CoordinatorStream> stream_;
  std::atomic<bool> welcomed_ = false;
  bool told_lost_ = false;  // logged since it was last connected
  int64_t last_order_ = 0;
};

}  // namespace stagecoach

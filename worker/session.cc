#include "worker/session.h"

#include <utility>

#include "core/base/mutex.h"
#include "core/log/log.h"

namespace stagecoach {

// Through it a stream's threads reach the executor, until it is closed: a
// stream may live longer than both.
//
// Thread-safe.
class WorkerSession::Door {
 public:
  explicit Door(Executor& executor) : executor_(&executor) {}

  void Post(std::function<void()> task) {
    const MutexLock lock(mutex_);
    if (executor_ != nullptr) executor_->Post(std::move(task));
  }

  void Close() {
    const MutexLock lock(mutex_);
    executor_ = nullptr;
  }

 private:
  Mutex mutex_;
  Executor* executor_ ABSL_GUARDED_BY(mutex_);
};

WorkerSession::WorkerSession(Options options, CoordinatorDialer& dialer,
                             Executor& executor, Random& random,
                             Refused refused)
    : options_(std::move(options)),
      dialer_(dialer),
      executor_(executor),
      random_(random),
      refused_(std::move(refused)),
      door_(std::make_shared<Door>(executor)) {}

WorkerSession::~WorkerSession() { Close(); }

void WorkerSession::Close() {
  ++streams_;  // what is on its way is of an earlier one
  welcomed_ = false;
  door_->Close();
  if (stream_ != nullptr) stream_->Cancel();
  stream_.reset();
}

void WorkerSession::Start(ClusterListener& listener) {
  listener_ = &listener;
  Open();
}

void WorkerSession::Open() {
  const int64_t stream = ++streams_;
  stream_ = dialer_.Open(EventsOf(stream));
  Hello hello = options_.hello;
  hello.running = listener_->Running();
  hello.last_order = last_order_;
  stream_->SayHello(hello);
  executor_.PostAfter(options_.welcome_timeout, [this, stream] {
    const bool waits = stream == streams_ && stream_ != nullptr && !welcomed_;
    if (waits) stream_->Cancel();
  });
}

// The stream's threads hand everything to the executor, which keeps the order.
CoordinatorEvents WorkerSession::EventsOf(int64_t stream) {
  const auto post = [this, stream, door = door_](std::function<void()> task) {
    door->Post([this, stream, task = std::move(task)] {
      if (stream == streams_) task();
    });
  };
  return {.welcomed =
              [this, post](int64_t last) {
                post([this, last] { OnWelcome(last); });
              },
          .acknowledged =
              [this, post](int64_t last) {
                post([this, last] { OnAcknowledged(last); });
              },
          .ordered =
              [this, post](int64_t serial, absl::StatusOr<Order> order) {
                post([this, serial, order = std::move(order)] {
                  OnOrder(serial, order);
                });
              },
          .ended =
              [this, post](absl::Status why) {
                post([this, why = std::move(why)] { OnEnd(why); });
              }};
}

void WorkerSession::OnWelcome(int64_t last_report) {
  LogInfo("connected to ", dialer_.peer());
  welcomed_ = true;
  told_lost_ = false;
  backoff_.reset();
  outbox_.Acknowledge(last_report);
  outbox_.Rewind();
  SendWhatWaits();
  Renew(streams_);
}

void WorkerSession::OnAcknowledged(int64_t last_report) {
  outbox_.Acknowledge(last_report);
  SendWhatWaits();
}

void WorkerSession::OnOrder(int64_t serial,
                            const absl::StatusOr<Order>& order) {
  if (serial <= last_order_) return;  // sent again on this stream
  last_order_ = serial;
  if (!order.ok()) {
    LogWarning("ignored an order of ", dialer_.peer(), ": ",
               order.status().message());
    return;
  }
  listener_->OnOrder(*order);
}

void WorkerSession::Renew(int64_t stream) {
  if (stream != streams_ || !welcomed_) return;
  stream_->Renew(last_order_);
  executor_.PostAfter(options_.renewal, [this, stream] { Renew(stream); });
}

void WorkerSession::Send(Report report) {
  outbox_.Add(std::move(report));
  SendWhatWaits();
}

void WorkerSession::SendWhatWaits() {
  if (!welcomed_) return;
  while (const std::optional<SerialReport> next = outbox_.Next()) {
    stream_->Send(next->serial, next->report);
  }
}

void WorkerSession::OnEnd(const absl::Status& why) {
  stream_.reset();
  const bool was_welcome = welcomed_.exchange(false);
  if (absl::IsInvalidArgument(why) || absl::IsAborted(why)) {
    return refused_(why);
  }
  if (was_welcome || !told_lost_) {
    LogWarning(
        "no session: ", why.ok() ? "the coordinator closed it" : why.message(),
        "; trying again until it is back");
  }
  told_lost_ = true;
  if (!backoff_.has_value()) backoff_.emplace(random_);
  executor_.PostAfter(backoff_->Next(), [this, stream = streams_] {
    if (stream == streams_) Open();
  });
}

}  // namespace stagecoach

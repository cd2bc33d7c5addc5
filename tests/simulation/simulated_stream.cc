#include "tests/simulation/simulated_stream.h"

#include <optional>
#include <utility>

#include "coordinator/worker_control.h"

namespace stagecoach {

class SimulatedDialer::Stream final
    : public CoordinatorStream,
      public WorkerControl,
      public std::enable_shared_from_this<Stream> {
 public:
  Stream(const World& world, CoordinatorEvents events)
      : coordinator_(world.coordinator()),
        events_(std::move(events)),
        up_(world.common, world.clock, world.chance, connected_),
        down_(world.common, world.clock, world.chance,
              std::make_shared<bool>(true)) {
    if (coordinator_ == nullptr) *connected_ = false;
  }

  // The worker's end.
  void SayHello(const Hello& hello) override {
    Upward([this, hello] {
      const auto session = (*coordinator_)->Join(hello, shared_from_this());
      if (!session.ok()) return Break(session.status());
      session_ = *session;
    });
    if (!*connected_) Break(absl::UnavailableError("connection refused"));
  }
  void Renew(int64_t last_order) override {
    Upward(
        [this, last_order] { (*coordinator_)->Renew(session_, last_order); });
  }
  void Send(int64_t serial, const Report& report) override {
    Upward([this, serial, report] {
      (*coordinator_)->Receive(session_, serial, report);
    });
  }
  void Cancel() override { Break(absl::CancelledError("cancelled")); }

  // The coordinator's end.
  void Welcome(absl::Duration /*lease*/, int64_t last_report) override {
    Downward([this, last_report] { events_.welcomed(last_report); });
  }
  void Send(int64_t serial, const Order& order) override {
    Downward([this, serial, order] { events_.ordered(serial, order); });
  }
  void Acknowledge(int64_t last_report) override {
    Downward([this, last_report] { events_.acknowledged(last_report); });
  }
  void Close(const absl::Status& why) override { Break(why); }

  // The worker hears of it, and the coordinator as long as it lives.
  void Break(const absl::Status& why) {
    if (std::exchange(broken_, true)) return;
    down_.Post([self = shared_from_this(), why] {
      if (self->coordinator_ != nullptr && self->coordinator_->alive()) {
        (*self->coordinator_)->Disconnect(self->session_);
      }
      self->events_.ended(why);
    });
  }

 private:
  void Upward(std::function<void()> what) {
    up_.Post([self = shared_from_this(), what = std::move(what)] {
      if (!self->broken_ && self->coordinator_->alive()) what();
    });
  }
  void Downward(std::function<void()> what) {
    down_.Post([self = shared_from_this(), what = std::move(what)] {
      if (!self->broken_) what();
    });
  }

  SimulatedCoordinator* const coordinator_;
  const CoordinatorEvents events_;
  const std::shared_ptr<bool> connected_ = std::make_shared<bool>(true);
  SimulatedExecutor up_;
  SimulatedExecutor down_;
  SessionId session_;
  bool broken_ = false;
};

std::shared_ptr<CoordinatorStream> SimulatedDialer::Open(
    CoordinatorEvents events) {
  auto stream = std::make_shared<Stream>(world_, std::move(events));
  newest_ = stream;
  return stream;
}

void SimulatedDialer::Break(const absl::Status& why) {
  if (const auto stream = newest_.lock()) stream->Break(why);
}

}  // namespace stagecoach

#include "tests/fakes/delaying_network.h"

#include <array>
#include <deque>
#include <utility>

#include "core/base/mutex.h"
#include "worker/transport/receiver_gate.h"

namespace stagecoach {
namespace {

// Receives in the receiver's place and passes on later. Each lane keeps its
// order; the loss of the peer comes after everything.
class LateReceiver final : public FrameReceiver,
                           public std::enable_shared_from_this<LateReceiver> {
 public:
  LateReceiver(FrameReceiver& receiver, Executor& executor, Random& random,
               absl::Duration longest)
      : gate_(receiver),
        executor_(executor),
        random_(random),
        longest_(longest) {}

  void OnFrame(Frame frame) override {
    const Lane lane = frame.lane;
    Add(lane, [frame = std::move(frame)](FrameReceiver& receiver) {
      receiver.OnFrame(frame);
    });
  }

  void OnWritable(Lane lane) override {
    Add(lane, [lane](FrameReceiver& receiver) { receiver.OnWritable(lane); });
  }

  void OnPeerLost(absl::Status why) override {
    PostLate([self = shared_from_this(), why] {
      for (const Lane lane : {Lane::kTraining, Lane::kEvaluation}) {
        while (self->PassOn(lane)) {
        }
      }
      self->gate_.CallLast(
          [&why](FrameReceiver& receiver) { receiver.OnPeerLost(why); });
    });
  }

  void Shut() { gate_.Shut(); }

 private:
  using Event = std::function<void(FrameReceiver&)>;

  void Add(Lane lane, Event event) {
    {
      const MutexLock lock(mutex_);
      waiting_[static_cast<size_t>(lane)].push_back(std::move(event));
    }
    // Whichever task comes first passes on what has waited longest.
    PostLate([self = shared_from_this(), lane] { self->PassOn(lane); });
  }

  bool PassOn(Lane lane) {
    Event event;
    {
      const MutexLock lock(mutex_);
      auto& waiting = waiting_[static_cast<size_t>(lane)];
      if (waiting.empty()) return false;
      event = std::move(waiting.front());
      waiting.pop_front();
    }
    gate_.Call(event);
    return true;
  }

  void PostLate(std::function<void()> task) {
    const double share = static_cast<double>(random_.Next() >> 11) * 0x1p-53;
    executor_.PostAfter(longest_ * share, std::move(task));
  }

  ReceiverGate gate_;
  Executor& executor_;
  Random& random_;
  const absl::Duration longest_;
  Mutex mutex_;
  std::array<std::deque<Event>, kNumLanes> waiting_ ABSL_GUARDED_BY(mutex_);
};

class LateLink final : public Link {
 public:
  LateLink(std::unique_ptr<Link> inner, std::shared_ptr<LateReceiver> receiver)
      : inner_(std::move(inner)), receiver_(std::move(receiver)) {}
  ~LateLink() override { Close(); }

  absl::Status Send(Frame frame) override {
    return inner_->Send(std::move(frame));
  }
  void Consumed(Lane lane) override { inner_->Consumed(lane); }
  void Close() override {
    inner_->Close();
    receiver_->Shut();
  }
  Traffic traffic() const override { return inner_->traffic(); }

 private:
  const std::unique_ptr<Link> inner_;
  const std::shared_ptr<LateReceiver> receiver_;
};

LinkNetwork::Done Wrap(std::shared_ptr<LateReceiver> receiver,
                       LinkNetwork::Done done) {
  return [receiver = std::move(receiver),
          done = std::move(done)](absl::StatusOr<std::unique_ptr<Link>> link) {
    if (!link.ok()) {
      done(std::move(link));
      return;
    }
    done(std::make_unique<LateLink>(*std::move(link), receiver));
  };
}

}  // namespace

void DelayingNetwork::Expect(const LinkSpec& spec, FrameReceiver& receiver,
                             absl::Duration timeout, Done done) {
  auto late =
      std::make_shared<LateReceiver>(receiver, executor_, random_, longest_);
  FrameReceiver& target = *late;
  inner_.Expect(spec, target, timeout, Wrap(std::move(late), std::move(done)));
}

void DelayingNetwork::Connect(const LinkSpec& spec, const std::string& address,
                              FrameReceiver& receiver, absl::Duration timeout,
                              Done done) {
  auto late =
      std::make_shared<LateReceiver>(receiver, executor_, random_, longest_);
  FrameReceiver& target = *late;
  inner_.Connect(spec, address, target, timeout,
                 Wrap(std::move(late), std::move(done)));
}

void DelayingNetwork::Forget(const JobId& job, Generation generation) {
  inner_.Forget(job, generation);
}

}  // namespace stagecoach

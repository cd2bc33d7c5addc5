#include "worker/transport/in_process_link.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"
#include "worker/transport/credit_window.h"
#include "worker/transport/link_spec.h"
#include "worker/transport/receiver_gate.h"

namespace stagecoach {
namespace {

constexpr int kLower = 0;
constexpr int kUpper = 1;

Direction DirectionFrom(int end) {
  return end == kLower ? Direction::kUpward : Direction::kDownward;
}

// What both ends share. Posts happen under the lock, which keeps their order
// that of the calls; an executor calls nothing from inside Post.
//
// Thread-safe.
class Joint final : public Severable,
                    public std::enable_shared_from_this<Joint> {
 public:
  Joint(const LinkSpec& spec, FrameReceiver& at_lower, FrameReceiver& at_upper,
        Executor& executor, FrameMemory& memory)
      : spec_(spec),
        executor_(executor),
        memory_(memory),
        gates_{ReceiverGate(at_lower), ReceiverGate(at_upper)},
        ends_{End(spec, kLower), End(spec, kUpper)} {}

  absl::Status Send(int from, Frame frame);
  void Consumed(int at, Lane lane);
  void Close(int end);
  void Sever(const absl::Status& why) override;
  Link::Traffic TrafficOf(int end);

 private:
  struct End {
    End(const LinkSpec& spec, int end)
        : sending{SendWindow(
                      ItemsOf(spec, DirectionFrom(end), Lane::kTraining)),
                  SendWindow(
                      ItemsOf(spec, DirectionFrom(end), Lane::kEvaluation))},
          taken{0, 0} {}

    std::array<SendWindow, kNumLanes> sending;
    std::array<int64_t, kNumLanes> taken;  // items that arrived and were used
    bool closed = false;
    Link::Traffic traffic;
  };

  void Deliver(int to, Frame frame);
  void PostLostLocked(int end, const absl::Status& why)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Frame Aligned(Frame frame);

  const LinkSpec spec_;
  Executor& executor_;
  FrameMemory& memory_;
  std::array<ReceiverGate, 2> gates_;
  Mutex mutex_;
  absl::Status severed_ ABSL_GUARDED_BY(mutex_);
  std::array<End, 2> ends_ ABSL_GUARDED_BY(mutex_);
};

absl::Status Joint::Send(int from, Frame frame) {
  SC_RETURN_IF_ERROR(CheckFrame(spec_, DirectionFrom(from), frame));
  const MutexLock lock(mutex_);
  if (!severed_.ok()) return severed_;
  if (ends_[from].closed) return absl::UnavailableError("the link is closed");
  if (ends_[1 - from].closed) {
    return absl::UnavailableError("the peer closed the link");
  }
  if (!ends_[from].sending[static_cast<size_t>(frame.lane)].TryTake()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("all ", NameOf(frame.lane), " items are under way"));
  }
  ends_[from].traffic.frames_sent += 1;
  ends_[from].traffic.bytes_sent += frame.bytes();
  executor_.Post([self = shared_from_this(), to = 1 - from,
                  frame = std::move(frame)]() mutable {
    self->Deliver(to, std::move(frame));
  });
  return absl::OkStatus();
}

void Joint::Deliver(int to, Frame frame) {
  {
    const MutexLock lock(mutex_);
    if (!severed_.ok() || ends_[to].closed) return;
    ends_[to].traffic.frames_received += 1;
    ends_[to].traffic.bytes_received += frame.bytes();
  }
  Frame aligned = Aligned(std::move(frame));
  gates_[to].Call([&aligned](FrameReceiver& receiver) {
    receiver.OnFrame(std::move(aligned));
  });
}

Frame Joint::Aligned(Frame frame) {
  for (TensorBytes& tensor : frame.tensors) {
    if (reinterpret_cast<uintptr_t>(tensor.data.get()) % 64 == 0) continue;
    std::shared_ptr<std::byte> copy = memory_.Allocate(tensor.size());
    std::memcpy(copy.get(), tensor.data.get(),
                static_cast<size_t>(tensor.size()));
    tensor.data = std::move(copy);
  }
  return frame;
}

void Joint::Consumed(int at, Lane lane) {
  const auto index = static_cast<size_t>(lane);
  const MutexLock lock(mutex_);
  const absl::StatusOr<bool> writable =
      ends_[1 - at].sending[index].Credit(++ends_[at].taken[index]);
  SC_CHECK(writable.ok(), "an item was consumed that never came");
  if (!*writable || ends_[1 - at].closed || ends_[at].closed) return;
  executor_.Post([self = shared_from_this(), to = 1 - at, lane] {
    self->gates_[to].Call(
        [lane](FrameReceiver& receiver) { receiver.OnWritable(lane); });
  });
}

void Joint::Close(int end) {
  {
    const MutexLock lock(mutex_);
    if (!ends_[end].closed) {
      ends_[end].closed = true;
      PostLostLocked(1 - end,
                     absl::UnavailableError("the peer closed the link"));
    }
  }
  gates_[end].Shut();
}

void Joint::Sever(const absl::Status& why) {
  const MutexLock lock(mutex_);
  if (!severed_.ok()) return;
  severed_ = why;
  for (const int end : {kLower, kUpper}) PostLostLocked(end, why);
}

void Joint::PostLostLocked(int end, const absl::Status& why) {
  executor_.Post([self = shared_from_this(), end, why] {
    self->gates_[end].CallLast(
        [&why](FrameReceiver& receiver) { receiver.OnPeerLost(why); });
  });
}

Link::Traffic Joint::TrafficOf(int end) {
  const MutexLock lock(mutex_);
  return ends_[end].traffic;
}

class InProcessEnd final : public Link {
 public:
  InProcessEnd(std::shared_ptr<Joint> joint, int end)
      : joint_(std::move(joint)), end_(end) {}
  ~InProcessEnd() override { joint_->Close(end_); }

  absl::Status Send(Frame frame) override {
    return joint_->Send(end_, std::move(frame));
  }
  void Consumed(Lane lane) override { joint_->Consumed(end_, lane); }
  void Close() override { joint_->Close(end_); }
  Traffic traffic() const override { return joint_->TrafficOf(end_); }

 private:
  const std::shared_ptr<Joint> joint_;
  const int end_;
};

}  // namespace

InProcessLink MakeInProcessLink(const LinkSpec& spec, FrameReceiver& at_lower,
                                FrameReceiver& at_upper, Executor& executor,
                                FrameMemory& memory) {
  auto joint =
      std::make_shared<Joint>(spec, at_lower, at_upper, executor, memory);
  return {.lower = std::make_unique<InProcessEnd>(joint, kLower),
          .upper = std::make_unique<InProcessEnd>(joint, kUpper),
          .between = joint};
}

}  // namespace stagecoach

#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/mutex.h"
#include "worker/transport/credit_window.h"
#include "worker/transport/frame_assembler.h"
#include "worker/transport/frame_cutter.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/grpc/data_plane_thread.h"
#include "worker/transport/grpc/exchange_call.h"
#include "worker/transport/grpc/frame_wire.h"
#include "worker/transport/link.h"
#include "worker/transport/link_spec.h"
#include "worker/transport/receiver_gate.h"

namespace stagecoach {

// One end of a link over one Exchange call whose handshake is made. The call
// and all that it does live on the data plane thread; Send(), Consumed() and
// Close() leave word under the lock and wake that thread.
//
// Each operation under way holds a reference, so it lives until the call has
// ended. Thread-safe, but for what says "on the thread".
class GrpcLinkCore : public std::enable_shared_from_this<GrpcLinkCore> {
 public:
  struct Options {
    LinkSpec spec;
    Direction sends = Direction::kUpward;
    // How long Close() lets what was sent before flow, and the peer answer.
    absl::Duration flush_timeout = absl::Seconds(10);
  };

  // The last three outlive it.
  GrpcLinkCore(Options options, FrameReceiver& receiver,
               std::shared_ptr<DataPlaneThread> thread, FrameMemory& memory);

  // On the thread, one of them, once: takes the call over.
  void Run(std::shared_ptr<OutgoingCall> call);
  void Run(std::shared_ptr<IncomingCall> call);

  // As those of Link.
  absl::Status Send(Frame frame);
  void Consumed(Lane lane);
  void Close();
  Link::Traffic traffic() const;

 private:
  // What one lane waits to send and has room to receive.
  struct LaneState {
    LaneState(const Options& options, Lane lane);

    SendWindow sending;
    ReceiveWindow receiving;
    std::deque<FrameCutter> queue;  // the front one may be cut in part
    int64_t next_sequence = 0;      // of the front one
  };

  void WakeLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndWithin(absl::Duration timeout);

  // Sending, on the thread.
  void Pump();
  std::optional<grpc::ByteBuffer> NextMessage();
  std::optional<grpc::ByteBuffer> NextCreditLocked()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::optional<grpc::ByteBuffer> NextChunkLocked()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnWritten(bool ok);

  // Receiving, on the thread.
  void ReadNext();
  void OnRead(bool ok);
  absl::Status OnMessage(const WireFrame& message);
  absl::Status OnChunk(const WireFrame& message);
  absl::Status OnCredit(const v1::LinkCredit& credit);
  void OnGoodbye();

  // Ending, on the thread.
  void Lose(const absl::Status& why);
  void BreakOff(const absl::Status& why);
  void Advance();
  void Release();

  const Options options_;
  const std::shared_ptr<DataPlaneThread> thread_;
  ReceiverGate gate_;

  // On the thread.
  std::shared_ptr<OutgoingCall> outgoing_;  // one of the two, until the end
  std::shared_ptr<IncomingCall> incoming_;
  ExchangeCall* call_ = nullptr;  // the one of them; null: not yet or over
  std::array<FrameAssembler, kNumLanes> assemblers_;
  grpc::ByteBuffer received_;
  absl::Status broken_off_;  // why this end stopped, if it did
  bool writing_ = false;     // a Write() or HalfClose() is under way
  bool write_failed_ = false;
  bool reads_ended_ = false;
  bool goodbye_sent_ = false;
  bool goodbye_received_ = false;
  bool half_closed_ = false;
  bool finishing_ = false;
  bool finished_ = false;

  mutable Mutex mutex_;
  absl::Status lost_ ABSL_GUARDED_BY(mutex_);
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool pump_posted_ ABSL_GUARDED_BY(mutex_) = false;
  std::array<LaneState, kNumLanes> lanes_ ABSL_GUARDED_BY(mutex_);
  Link::Traffic traffic_ ABSL_GUARDED_BY(mutex_);
};

// The owner's handle: closes when it is destroyed.
class GrpcLink final : public Link {
 public:
  explicit GrpcLink(std::shared_ptr<GrpcLinkCore> core)
      : core_(std::move(core)) {}
  ~GrpcLink() override { core_->Close(); }

  absl::Status Send(Frame frame) override {
    return core_->Send(std::move(frame));
  }
  void Consumed(Lane lane) override { core_->Consumed(lane); }
  void Close() override { core_->Close(); }
  Traffic traffic() const override { return core_->traffic(); }

 private:
  const std::shared_ptr<GrpcLinkCore> core_;
};

}  // namespace stagecoach

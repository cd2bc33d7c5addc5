#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/random.h"
#include "worker/transport/backoff.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/grpc/data_plane_thread.h"
#include "worker/transport/grpc/exchange_call.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// One Connect() at work: offers the link again and again until the other end
// takes it, refuses it for good, or time is up.
//
// Thread-confined: the data plane thread. Held by shared_ptr, for its calls and
// timers.
class LinkConnector : public std::enable_shared_from_this<LinkConnector> {
 public:
  struct Options {
    LinkSpec spec;
    std::string address;
    absl::Duration timeout;
    absl::Duration flush_timeout;
  };

  // `receiver` as in LinkNetwork; `memory` and `random` outlive it.
  LinkConnector(Options options, std::shared_ptr<grpc::Channel> channel,
                FrameReceiver& receiver, LinkNetwork::Done done,
                std::shared_ptr<DataPlaneThread> thread, FrameMemory& memory,
                Random& random);

  void Start();

  // Ends the attempt with `why`, unless it has ended.
  void GiveUp(const absl::Status& why);

  const LinkSpec& spec() const { return options_.spec; }
  bool ended() const { return done_ == nullptr; }

 private:
  void Try();
  void OnAnswer(const std::shared_ptr<OutgoingCall>& call, bool ok);
  void OnFailed(const std::shared_ptr<OutgoingCall>& call);
  void TryAgain(const absl::Status& failure);
  void Succeed(std::shared_ptr<OutgoingCall> call);
  void Expire();
  std::string Peer() const;

  const Options options_;
  const std::shared_ptr<grpc::Channel> channel_;
  FrameReceiver& receiver_;
  LinkNetwork::Done done_;  // empty once it was called
  const std::shared_ptr<DataPlaneThread> thread_;
  FrameMemory& memory_;
  Backoff backoff_;
  std::shared_ptr<OutgoingCall> call_;  // of the present try
  grpc::ByteBuffer answer_;
  bool misunderstood_ = false;  // the answer was none of ours
  absl::Status trouble_;        // how the last try failed
};

}  // namespace stagecoach

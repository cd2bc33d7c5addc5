#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace stagecoach {

// Control messages are small; the largest are a job's digest lines and the list
// of all jobs.
inline constexpr int kMaxControlMessageBytes = 16 << 20;

struct ChannelOptions {
  // A peer that is silent for both together is taken for gone.
  absl::Duration keepalive_time = absl::Seconds(10);
  absl::Duration keepalive_timeout = absl::Seconds(10);
};

// A control channel to "host:port" with a connection of its own. Connects when
// first used, and again by itself within two seconds of the peer's return.
// Proxies from the environment are not used.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address,
                                           const ChannelOptions& options = {});

// Every unary call has a deadline. Long streams have none: they are cancelled.
void SetDeadline(grpc::ClientContext& context, absl::Duration timeout);

// Blocks until the channel is connected. kUnavailable, naming `peer` as in
// FromGrpc(), when it is not within `timeout`.
absl::Status WaitUntilConnected(grpc::Channel& channel, absl::Duration timeout,
                                const std::string& peer);

}  // namespace stagecoach

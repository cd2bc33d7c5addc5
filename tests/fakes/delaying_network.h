#pragma once

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "core/base/executor.h"
#include "core/base/random.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// A network on which everything takes a random time, each thing another one:
// frames and credits come late, by up to `longest`, but in the order that a
// Link promises. Whoever computes the same on it does not depend on time.
//
// Thread-safe.
class DelayingNetwork final : public LinkNetwork {
 public:
  // All outlive it and its links; the executor calls the receivers.
  DelayingNetwork(LinkNetwork& inner, Executor& executor, Random& random,
                  absl::Duration longest)
      : inner_(inner),
        executor_(executor),
        random_(random),
        longest_(longest) {}

  void Expect(const LinkSpec& spec, FrameReceiver& receiver,
              absl::Duration timeout, Done done) override;
  void Connect(const LinkSpec& spec, const std::string& address,
               FrameReceiver& receiver, absl::Duration timeout,
               Done done) override;
  void Forget(const JobId& job, Generation generation) override;

 private:
  LinkNetwork& inner_;
  Executor& executor_;
  Random& random_;
  const absl::Duration longest_;
};

}  // namespace stagecoach

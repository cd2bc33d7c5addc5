#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "worker/transport/link.h"

namespace stagecoach {

// Makes the links between neighbouring stages. The worker of the lower stage
// connects, that of the upper one expects, and both name the same LinkSpec.
//
// Every Expect() and Connect() calls its `done` exactly once, from a thread of
// the network's, never from inside a call on the network. With a link: before
// the first call on `receiver`, which then must live until the link is closed.
// With an error: the receiver is not used after that.
//
// Thread-safe. Links are closed before their network is destroyed; it calls
// what is left of `done` with kCancelled.
class LinkNetwork {
 public:
  using Done = std::function<void(absl::StatusOr<std::unique_ptr<Link>>)>;

  virtual ~LinkNetwork() = default;

  // Waits for the lower stage to connect. A stage that offers something else
  // is refused and the wait goes on.
  //   kInvalidArgument: the spec is not valid.
  //   kAlreadyExists: this stage of this generation is expected already.
  //   kDeadlineExceeded: nobody came who fits, within `timeout`; says whom it
  //     refused last.
  //   kCancelled: forgotten.
  virtual void Expect(const LinkSpec& spec, FrameReceiver& receiver,
                      absl::Duration timeout, Done done) = 0;

  // Connects to the worker of the upper stage at `address` ("host:port"),
  // trying again while nobody listens there or expects this stage yet.
  //   kInvalidArgument: the spec is not valid, or the other end's differs; the
  //     message gives both.
  //   kFailedPrecondition: the other end is at a newer generation.
  //   kDeadlineExceeded: no success within `timeout`; says what failed last.
  //   kCancelled: forgotten.
  virtual void Connect(const LinkSpec& spec, const std::string& address,
                       FrameReceiver& receiver, absl::Duration timeout,
                       Done done) = 0;

  // Gives up what Expect() and Connect() of this job and generation still wait
  // for; each is told kCancelled. Links that exist are not touched.
  virtual void Forget(const JobId& job, Generation generation) = 0;
};

}  // namespace stagecoach

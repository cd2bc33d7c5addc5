#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/base/executor.h"
#include "core/base/mutex.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/in_process_link.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// Where ends that expect and ends that connect find one another within a
// process. The gRPC service asks here, too, for ends that come from elsewhere.
//
// Thread-safe. Held by shared_ptr, because its timers may outlast its owner.
class Rendezvous : public std::enable_shared_from_this<Rendezvous> {
 public:
  // An end that waits for its peer.
  struct End {
    std::string owner;  // address of the worker that asked
    std::string at;     // address of the worker of the upper stage
    LinkSpec spec;
    FrameReceiver* receiver = nullptr;  // never null once it waits
    LinkNetwork::Done done;
  };

  // Both outlive it and the links that it makes.
  Rendezvous(Executor& executor, FrameMemory& memory)
      : executor_(executor), memory_(memory) {}

  // As those of LinkNetwork.
  void Expect(End upper, absl::Duration timeout);
  void Connect(End lower, absl::Duration timeout);
  void Forget(const std::string& owner, const JobId& job,
              Generation generation);

  // Gives up all that `owner` waits for.
  void ForgetAll(const std::string& owner);

  // Hands over the end that expects `offered` at `at`; it waits no longer.
  // Errors are those of CheckOffer().
  absl::StatusOr<End> Take(const std::string& at, const LinkSpec& offered);

  // Breaks the links from and to `address`, and gives up what it waits for.
  void Sever(const std::string& address, const absl::Status& why);

 private:
  struct Waiting {
    End end;
    bool connects;
    absl::Duration timeout;
    std::string trouble;  // what stood in its way last
  };
  struct Live {
    std::string lower;
    std::string upper;
    std::weak_ptr<Severable> link;
  };

  void Add(Waiting waiting);
  void Expire(int64_t serial);
  void ForgetIf(const std::function<bool(const End&)>& matches,
                const absl::Status& why);
  absl::Status CheckNewLocked(const Waiting& waiting) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<End> TakeLocked(const std::string& at, const LinkSpec& offered)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MatchLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void JoinLocked(const End& lower, const End& upper)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Executor& executor_;
  FrameMemory& memory_;
  Mutex mutex_;
  int64_t next_serial_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  std::vector<Live> live_ ABSL_GUARDED_BY(mutex_);
};

// Calls `done` from the executor.
void PostDone(Executor& executor, LinkNetwork::Done done,
              absl::StatusOr<std::unique_ptr<Link>> result);

}  // namespace stagecoach

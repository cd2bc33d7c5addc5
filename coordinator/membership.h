#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/order_outbox.h"
#include "coordinator/worker_control.h"
#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/session/report.h"

namespace stagecoach {

// One session of a worker; counted, so an old one's late words are told apart.
using SessionId = StrongNumber<struct SessionIdTag>;

// The stages that a worker holds, of one job at a time.
struct Assignment {
  JobId job;
  Generation generation;
  std::vector<int> stages;
  // It was told to drop them, and must have by then (monotonic).
  bool stopping = false;
  absl::Duration stop_deadline = absl::InfiniteDuration();
};

// What every hello must keep. kInvalidArgument names the field and the rule.
absl::Status CheckHello(const Hello& hello);

struct Member {
  enum class Presence {
    kHere,
    kSuspected,  // its stream is lost: it may be back within the grace
    kLost,
  };

  Hello hello;
  Presence presence = Presence::kHere;
  SessionId session;
  std::shared_ptr<WorkerControl> control;
  absl::Duration lease_ends;
  absl::Duration grace_ends;
  int64_t last_report = 0;
  OrderOutbox outbox;
  std::optional<Assignment> assignment;

  bool here() const { return presence == Presence::kHere; }
};

// Who is in the cluster. A worker is a member while it renews its lease; when
// its stream is lost it is suspected at once, and lost unless the same
// incarnation is back within a grace. A newer incarnation of a name fences the
// older one.
//
// Thread-confined: Coordinator, under its lock.
class Membership {
 public:
  struct Options {
    absl::Duration lease = absl::Seconds(10);
    absl::Duration grace = absl::Seconds(2);
    // Lost workers are remembered for display, the latest of them.
    size_t max_lost = 100;
  };

  struct Lapse {
    WorkerName worker;
    std::string why;
  };

  Membership(const Options& options, const Clock& clock)
      : options_(options), clock_(clock) {}

  // Takes a hello that CheckHello() accepts. A member of another incarnation
  // must be removed with Lose() before. What an incarnation reported and was
  // ordered is remembered from its earlier sessions.
  Member& Join(const Hello& hello, std::shared_ptr<WorkerControl> control);

  // Null when there never was such a worker.
  Member* Find(const WorkerName& name);

  // The member whose newest session this is; null when there is none: the
  // session was replaced, or its worker is lost.
  Member* FindSession(SessionId session);

  void Renew(Member& member);
  void Suspect(Member& member);
  // Gives its assignment and orders up; the caller deals with the job.
  void Lose(Member& member);

  // Those whose lease or grace has run out, by name. They are still members.
  std::vector<Lapse> Lapsed() const;

  // By name.
  std::map<WorkerName, Member>& members() { return members_; }
  const std::map<WorkerName, Member>& members() const { return members_; }

 private:
  void ForgetOldestLost();

  const Options options_;
  const Clock& clock_;
  SessionId last_session_;
  std::map<WorkerName, Member> members_;
};

}  // namespace stagecoach

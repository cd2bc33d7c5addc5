// Workers come, go, and are given orders.

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "core/base/status_macros.h"

namespace stagecoach {

absl::StatusOr<SessionId> Coordinator::Join(
    const Hello& hello, std::shared_ptr<WorkerControl> control) {
  SC_RETURN_IF_ERROR(CheckHello(hello));
  const MutexLock lock(mutex_);
  if (draining_) return absl::UnavailableError("the coordinator is stopping");
  FenceLocked(hello);
  Member& member = membership_.Join(hello, control);
  SayLocked(LogLevel::kInfo, "worker ", hello.name.value(), " is here with ",
            hello.slots, " slots at ", hello.data_address);
  executor_.Post([control, lease = options_.membership.lease,
                  last_report = member.last_report,
                  orders = member.outbox.waiting()] {
    control->Welcome(lease, last_report);
    for (const auto& [serial, order] : orders) control->Send(serial, order);
  });
  const SessionId session = member.session;
  ReconcileLocked(member);
  DispatchLocked();
  return session;
}

// Ends what another session or incarnation of this name has.
void Coordinator::FenceLocked(const Hello& hello) {
  Member* member = membership_.Find(hello.name);
  if (member == nullptr || member->presence == Member::Presence::kLost) return;
  const bool same = member->hello.incarnation == hello.incarnation;
  if (member->control != nullptr) {
    const absl::Status why = absl::AbortedError(
        absl::StrCat("a newer ", same ? "session" : "process",
                     " has the worker name ", hello.name.value()));
    executor_.Post([control = member->control, why] { control->Close(why); });
    member->control.reset();
  }
  if (!same) LoseLocked(hello.name, "it was started again");
}

// Compares what the worker says that it runs with what it should run.
void Coordinator::ReconcileLocked(Member& member) {
  for (auto& [number, job] : jobs_.jobs()) AdoptLocked(job, member);
  std::map<std::pair<JobId, Generation>, std::vector<int>> running;
  for (const RunningStage& stage : member.hello.running) {
    running[{stage.job, stage.generation}].push_back(stage.stage.value());
  }
  for (const auto& [of, stages] : running) {
    const auto& [job, generation] = of;
    const std::optional<Assignment>& assignment = member.assignment;
    if (assignment.has_value() && assignment->job == job &&
        assignment->generation >= generation) {
      continue;  // known, or a stop for it is on its way
    }
    if (!assignment.has_value()) {
      member.assignment = {
          .job = job, .generation = generation, .stages = stages};
      StopLocked(member, "nobody waits for this generation");
    } else {
      OrderLocked(member, StopStages{job, generation,
                                     "nobody waits for this generation"});
    }
  }
}

// After a restart of the coordinator: the worker is where the plan has it, and
// still holds what has not finished.
void Coordinator::AdoptLocked(Job& job, Member& member) {
  if (!job.run.has_value() || job.run->phase != Run::Phase::kAdopting ||
      !job.run->Includes(member.hello.name, member.hello.incarnation)) {
    return;
  }
  std::set<StageIndex> held;
  for (const RunningStage& stage : member.hello.running) {
    if (stage.job == job.id() && stage.generation == job.run->generation) {
      held.insert(stage.stage);
    }
  }
  Assignment assignment = {.job = job.id(), .generation = job.run->generation};
  bool complete = true;
  for (const StagePlace& place : job.run->places) {
    if (place.worker != member.hello.name) continue;
    assignment.stages.push_back(place.stage.value());
    complete = complete &&
               (held.contains(place.stage) || job.HasFinished(place.stage));
  }
  member.assignment = assignment;
  if (complete) job.run->waiting.erase(member.hello.name);
  if (!job.run->waiting.empty()) return;
  job.run->phase = Run::Phase::kTraining;
  job.run->deadline = absl::InfiniteDuration();
  SayLocked(LogLevel::kInfo, job.id().value(),
            " goes on: all its workers are back");
}

void Coordinator::Renew(SessionId session, int64_t last_order) {
  const MutexLock lock(mutex_);
  Member* member = membership_.FindSession(session);
  if (member == nullptr) return;
  membership_.Renew(*member);
  member->outbox.Confirm(last_order);
}

void Coordinator::Disconnect(SessionId session) {
  const MutexLock lock(mutex_);
  if (draining_) return;
  Member* member = membership_.FindSession(session);
  if (member == nullptr) return;
  SayLocked(LogLevel::kWarning, "worker ", member->hello.name.value(),
            ": its connection broke");
  membership_.Suspect(*member);
}

// The member may be forgotten: references to it do not survive.
void Coordinator::LoseLocked(const WorkerName& name, const std::string& why) {
  Member& member = *membership_.Find(name);
  SayLocked(LogLevel::kWarning, "worker ", name.value(), " is lost: ", why);
  if (member.control != nullptr) {
    executor_.Post([control = member.control, why] {
      control->Close(absl::UnavailableError(
          absl::StrCat("the coordinator took this worker for lost: ", why)));
    });
  }
  const std::optional<Assignment> assignment = member.assignment;
  membership_.Lose(member);
  if (!assignment.has_value() || assignment->stopping) return;
  Job* job = jobs_.Find(assignment->job);
  if (job == nullptr || !job->run.has_value() ||
      job->run->generation != assignment->generation) {
    return;
  }
  EndGenerationLocked(
      *job, {.kind = "worker_lost",
             .stage = assignment->stages.front(),
             .step = job->status().step,
             .text = absl::StrCat("worker ", name.value(), " is lost: ", why)});
}

// A worker whose stream is lost is sent the order when it is back.
void Coordinator::OrderLocked(Member& member, Order order) {
  const OrderOutbox::Numbered& numbered = member.outbox.Add(std::move(order));
  if (member.control == nullptr) return;
  executor_.Post([control = member.control, numbered] {
    control->Send(numbered.first, numbered.second);
  });
}

void Coordinator::StopLocked(Member& member, const std::string& reason) {
  Assignment& assignment = *member.assignment;
  assignment.stopping = true;
  assignment.stop_deadline = clock_.Now() + options_.stop_timeout;
  OrderLocked(member,
              StopStages{assignment.job, assignment.generation, reason});
}

}  // namespace stagecoach

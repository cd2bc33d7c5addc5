// What clients ask of the coordinator.

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/coordinator.h"
#include "core/base/status_macros.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {
namespace {

absl::Status NoSuchJob(const JobId& id) {
  return absl::NotFoundError(absl::StrCat("there is no job \"", id.value(),
                                          "\"; `stagecoach list` shows all"));
}

absl::Status Stopping() {
  return absl::UnavailableError("the coordinator is stopping");
}

// Tells the status once it is stored.
Journal::Done AnswerWith(const JobStatus& status,
                         Coordinator::StatusDone done) {
  return [status, done = std::move(done)](const absl::Status& stored) {
    if (stored.ok()) {
      done(status);
    } else {
      done(stored);
    }
  };
}

}  // namespace

void Coordinator::Submit(const JobSpec& spec, const std::string& key,
                         StatusDone done) {
  const absl::StatusOr<JobSpec> resolved = ResolveSpec(spec);
  if (!resolved.ok()) return done(resolved.status());
  absl::Status refused;
  {
    const MutexLock lock(mutex_);
    bool is_new = false;
    const absl::StatusOr<Job*> job = AcceptLocked(*resolved, key, is_new);
    refused = job.status();
    if (job.ok()) {
      auto answer = AnswerWith((*job)->status(), done);
      if (is_new) {
        CommitLocked(**job, std::move(answer));
        ForgetOldJobsLocked();
        DispatchLocked();
      } else {
        journal_.Enqueue({}, std::move(answer));
      }
    }
  }
  if (!refused.ok()) done(refused);
}

// The job of this key, or a new one.
absl::StatusOr<Job*> Coordinator::AcceptLocked(const JobSpec& resolved,
                                               const std::string& key,
                                               bool& is_new) {
  if (draining_) return Stopping();
  if (Job* known = key.empty() ? nullptr : jobs_.FindKey(key)) {
    if (known->record().spec == resolved) return known;
    return absl::AlreadyExistsError(
        absl::StrCat("the key \"", key, "\" was used for ", known->id().value(),
                     ", which is another job; use another key"));
  }
  const size_t open = jobs_.size() - jobs_.CountEnded();
  if (open >= options_.max_open_jobs) {
    return absl::ResourceExhaustedError(
        absl::StrCat(open, " jobs wait or run, which is the limit; try again ",
                     "when some have ended"));
  }
  is_new = true;
  Job& job = jobs_.Add(
      Job::Submitted(jobs_.next_number(), key, resolved, clock_.WallNow()));
  SayLocked(LogLevel::kInfo, job.id().value(), " is queued");
  return &job;
}

void Coordinator::ForgetOldJobsLocked() {
  while (jobs_.CountEnded() > options_.max_ended_jobs) {
    const JobId id = jobs_.OldestEnded()->id();
    jobs_.Forget(id);
    journal_.Enqueue({{.job = id, .forget = true}},
                     [this, id](const absl::Status&) { feed_.Forget(id); });
  }
}

std::vector<JobStatus> Coordinator::List() const {
  const MutexLock lock(mutex_);
  std::vector<JobStatus> statuses;
  for (const auto& [number, job] : jobs_.jobs()) {
    statuses.push_back(job.status());
  }
  std::reverse(statuses.begin(), statuses.end());
  return statuses;
}

absl::StatusOr<Coordinator::Description> Coordinator::Describe(
    const JobId& id) const {
  const MutexLock lock(mutex_);
  const Job* job = jobs_.Find(id);
  if (job == nullptr) return NoSuchJob(id);
  return Description{job->status(), job->record().spec};
}

void Coordinator::Cancel(const JobId& id, StatusDone done) {
  absl::Status refused;
  {
    const MutexLock lock(mutex_);
    Job* job = jobs_.Find(id);
    if (draining_) {
      refused = Stopping();
    } else if (job == nullptr) {
      refused = NoSuchJob(id);
    } else if (job->status().state == JobState::kCancelled) {
      journal_.Enqueue({}, AnswerWith(job->status(), done));
    } else if (IsFinal(job->status().state)) {
      refused = absl::FailedPreconditionError(absl::StrCat(
          id.value(), " has ended: it is ", NameOf(job->status().state)));
    } else {
      job->SetCause({.kind = "cancelled", .text = "cancelled by a client"});
      job->Enter(JobState::kCancelled, "", clock_.WallNow());
      EndRunLocked(*job, "the job was cancelled");
      CommitLocked(*job, AnswerWith(job->status(), done));
      DispatchLocked();
    }
  }
  if (!refused.ok()) done(refused);
}

std::vector<WorkerStatus> Coordinator::Workers() const {
  const MutexLock lock(mutex_);
  std::vector<WorkerStatus> workers;
  for (const auto& [name, member] : membership_.members()) {
    workers.push_back(StatusOfLocked(member));
  }
  return workers;
}

WorkerStatus Coordinator::StatusOfLocked(const Member& member) const {
  WorkerStatus status = {.name = member.hello.name,
                         .state = "idle",
                         .address = member.hello.data_address,
                         .device = member.hello.device,
                         .build = member.hello.build,
                         .slots = member.hello.slots,
                         .free_slots = member.hello.slots,
                         .memory_bytes = member.hello.memory_bytes};
  if (member.assignment.has_value()) {
    const std::vector<int>& stages = member.assignment->stages;
    status.state = "busy";
    status.free_slots = 0;  // one job at a time
    status.jobs = absl::StrCat(member.assignment->job.value(),
                               stages.size() == 1 ? " stage " : " stages ",
                               absl::StrJoin(stages, ", "),
                               member.assignment->stopping ? ", stopping" : "");
  }
  if (!member.here()) {
    status.state = "lost";
    status.free_slots = 0;
  }
  return status;
}

void Coordinator::RequestFlightRecord(const WorkerName& worker,
                                      FlightDone done) {
  absl::Status refused;
  {
    const MutexLock lock(mutex_);
    Member* member = membership_.Find(worker);
    if (draining_) {
      refused = Stopping();
    } else if (member == nullptr) {
      refused = absl::NotFoundError(
          absl::StrCat("there is no worker \"", worker.value(),
                       "\"; `stagecoach workers` shows all"));
    } else if (!member->here()) {
      refused = absl::UnavailableError(
          absl::StrCat("worker ", worker.value(), " is lost"));
    } else if (!member->assignment.has_value()) {
      refused = absl::FailedPreconditionError(
          absl::StrCat("worker ", worker.value(), " runs no job"));
    } else if (flights_.full()) {
      refused = absl::ResourceExhaustedError(
          "too many flight records are asked for; try again");
    } else {
      const Assignment& assignment = *member->assignment;
      flights_.Add(worker, assignment.job,
                   {assignment.stages.begin(), assignment.stages.end()},
                   clock_.Now() + options_.flight_timeout, done);
      OrderLocked(*member, stagecoach::RequestFlightRecord{assignment.job});
    }
  }
  if (!refused.ok()) done(refused);
}

}  // namespace stagecoach

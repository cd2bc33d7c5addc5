#include "coordinator/coordinator.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

// What a worker failed to do in the phase, for a cause.
std::string Lateness(const Run& run, absl::Duration timeout) {
  std::string workers;
  for (const WorkerName& worker : run.waiting) {
    absl::StrAppend(&workers, workers.empty() ? "" : ", ", worker.value());
  }
  const char* what = run.phase == Run::Phase::kInspecting
                         ? " did not describe the data within "
                         : " did not build its stages within ";
  return absl::StrCat("worker ", workers, what, absl::FormatDuration(timeout));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(
    const CoordinatorOptions& options, const CoordinatorSeams& seams) {
  std::unique_ptr<Coordinator> coordinator(new Coordinator(options, seams));
  SC_RETURN_IF_ERROR(coordinator->Load());
  coordinator->Tick();
  return coordinator;
}

Coordinator::Coordinator(const CoordinatorOptions& options,
                         const CoordinatorSeams& seams)
    : options_(options),
      clock_(seams.clock),
      executor_(seams.executor),
      journal_(seams.store, seams.journal_executor, seams.on_failure),
      feed_(journal_),
      store_(seams.store),
      membership_(options.membership, seams.clock),
      metrics_(seams.metrics) {}

absl::Status Coordinator::Load() {
  SC_ASSIGN_OR_RETURN(std::vector<JobRecord> records, store_.LoadJobs());
  const MutexLock lock(mutex_);
  for (JobRecord& record : records) {
    if (record.status.state == JobState::kRunning && !record.plan.has_value()) {
      return absl::DataLossError(absl::StrCat(
          record.status.id.value(), " is stored as running without a plan"));
    }
    RestoreLocked(jobs_.Add(Job(std::move(record))));
  }
  return absl::OkStatus();
}

// Waits for the workers of a job that ran: they have trained on meanwhile. One
// that had not begun to train begins again.
void Coordinator::RestoreLocked(Job& job) {
  const JobState state = job.status().state;
  metrics_.ShowJob(job.status());
  feed_.Restore(job.record().last_event, {job.status(), job.revision()},
                IsFinal(state));
  if (state == JobState::kStarting) {
    job.Enter(JobState::kQueued, "again: the coordinator was restarted",
              clock_.WallNow());
    CommitLocked(job);
  } else if (state == JobState::kRunning) {
    const Plan& plan = *job.record().plan;
    job.run = Run{.generation = plan.generation,
                  .places = plan.places,
                  .phase = Run::Phase::kAdopting,
                  .deadline = clock_.Now() + options_.adopt_timeout};
    job.run->waiting = job.run->Workers();
  }
}

void Coordinator::Tick() {
  {
    const MutexLock lock(mutex_);
    if (draining_) return;
    LoseLapsedLocked();
    LoseUnstoppableLocked();
    EndLatePhasesLocked();
    for (auto& ready : flights_.Expire(clock_.Now())) {
      executor_.Post(std::move(ready));
    }
    DispatchLocked();
    ShowMetricsLocked();
  }
  executor_.PostAfter(options_.tick, [this] { Tick(); });
}

void Coordinator::LoseLapsedLocked() {
  for (const Membership::Lapse& lapse : membership_.Lapsed()) {
    if (membership_.Find(lapse.worker)->here()) metrics_.CountLeaseExpiration();
    LoseLocked(lapse.worker, lapse.why);
  }
}

void Coordinator::LoseUnstoppableLocked() {
  std::vector<std::pair<WorkerName, JobId>> late;
  for (const auto& [name, member] : membership_.members()) {
    if (member.assignment.has_value() && member.assignment->stopping &&
        member.assignment->stop_deadline <= clock_.Now()) {
      late.emplace_back(name, member.assignment->job);
    }
  }
  for (const auto& [name, job] : late) {
    LoseLocked(name, absl::StrCat("it did not drop the stages of ", job.value(),
                                  " within ",
                                  absl::FormatDuration(options_.stop_timeout)));
  }
}

void Coordinator::EndLatePhasesLocked() {
  for (auto& [number, job] : jobs_.jobs()) {
    if (!job.run.has_value() || job.run->deadline > clock_.Now()) continue;
    switch (job.run->phase) {
      case Run::Phase::kInspecting:
        EndGenerationLocked(
            job, {.kind = "deadline",
                  .text = Lateness(*job.run, options_.inspect_timeout)});
        break;
      case Run::Phase::kAdopting:
        EndGenerationLocked(
            job,
            {.kind = "worker_lost",
             .text = absl::StrCat("worker ", job.run->waiting.begin()->value(),
                                  " did not return with its stages within ",
                                  absl::FormatDuration(options_.adopt_timeout),
                                  " of the coordinator's restart")});
        break;
      default:
        EndGenerationLocked(
            job, {.kind = "deadline",
                  .text = Lateness(*job.run, options_.prepare_timeout)});
    }
  }
}

void Coordinator::ShowMetricsLocked() {
  std::map<JobState, int> jobs;
  for (const auto& [number, job] : jobs_.jobs()) ++jobs[job.status().state];
  metrics_.ShowJobs(jobs);
  std::map<std::string, int> workers;
  for (const auto& [name, member] : membership_.members()) {
    ++workers[StatusOfLocked(member).state];
  }
  metrics_.ShowWorkers(workers);
}

// Stores what has changed of the job, then tells its watchers and `then`.
void Coordinator::CommitLocked(Job& job, Journal::Done then) {
  metrics_.ShowJob(job.status());
  Mutation mutation = job.TakeMutation();
  auto publish = [this, events = mutation.events,
                  snapshot = StatusSnapshot{job.status(), job.revision()},
                  then = std::move(then)](const absl::Status& stored) {
    if (stored.ok()) {
      feed_.Publish(events, snapshot, IsFinal(snapshot.status.state));
    }
    if (then) then(stored);
  };
  std::vector<Mutation> mutations;
  mutations.push_back(std::move(mutation));
  journal_.Enqueue(std::move(mutations), std::move(publish));
}

// Tells the job's watchers of a status that need not be stored, in its turn:
// they hear of a job only when it is stored.
void Coordinator::PublishLocked(const Job& job) {
  metrics_.ShowJob(job.status());
  journal_.Enqueue(
      {}, [this, snapshot = StatusSnapshot{job.status(), job.revision()}](
              const absl::Status& stored) {
        if (stored.ok()) feed_.Publish({}, snapshot, /*ended=*/false);
      });
}

bool Coordinator::Drain(absl::Duration timeout) {
  const absl::Status why = absl::UnavailableError(
      "the coordinator is stopping; what runs goes on without it");
  {
    const MutexLock lock(mutex_);
    draining_ = true;
    for (auto& ready : flights_.Fail(why)) executor_.Post(std::move(ready));
    for (auto& [name, member] : membership_.members()) {
      if (member.control == nullptr) continue;
      executor_.Post([control = member.control, why] { control->Close(why); });
    }
  }
  const bool stored = journal_.Flush(timeout);
  feed_.Close(why);
  return stored;
}

std::string Coordinator::NotReady() const {
  const MutexLock lock(mutex_);
  return draining_ ? "the coordinator is stopping" : "";
}

}  // namespace stagecoach

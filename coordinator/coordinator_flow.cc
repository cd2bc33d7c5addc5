// The life of a job, from the queue to its end.

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "coordinator/job_queue.h"
#include "coordinator/preflight.h"
#include "coordinator/recovery.h"
#include "core/base/field_error.h"

namespace stagecoach {
namespace {

// "left, right"
std::string Names(const Run& run) {
  std::string names;
  for (const WorkerName& worker : run.Workers()) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", worker.value());
  }
  return names;
}

bool WaitsForWorkers(const Job& job) {
  const JobState state = job.status().state;
  return !job.run.has_value() &&
         (state == JobState::kQueued || state == JobState::kRecovering);
}

// Jobs that were already running come first.
std::vector<WaitingJob> WaitingJobs(const JobTable& jobs) {
  std::vector<WaitingJob> waiting;
  for (const JobState state : {JobState::kRecovering, JobState::kQueued}) {
    for (const auto& [number, job] : jobs.jobs()) {
      if (WaitsForWorkers(job) && job.status().state == state) {
        waiting.push_back(
            {job.id(), static_cast<int>(job.record().spec.stages)});
      }
    }
  }
  return waiting;
}

std::vector<PresentWorker> PresentWorkers(const Membership& membership) {
  std::vector<PresentWorker> present;
  for (const auto& [name, member] : membership.members()) {
    if (!member.here()) continue;
    present.push_back({{name, member.hello.slots, member.hello.build},
                       !member.assignment.has_value()});
  }
  return present;
}

std::vector<StageStatus> InitialStages(const ResolvedJob& job, const Run& run) {
  std::vector<StageStatus> stages;
  const auto units = static_cast<int64_t>(job.model.units.size());
  for (int stage = 0; stage < job.num_stages(); ++stage) {
    const UnitRange range = UnitsOfStage(job.cuts, units, stage);
    StageStatus status = {
        .stage = StageIndex(stage),
        .worker = run.places[static_cast<size_t>(stage)].worker,
        .first_unit = range.begin,
        .end_unit = range.end};
    for (const PlacedTensor& tensor : ParametersOf(job.UnitsOf(stage))) {
      status.parameters += tensor.elements();
    }
    status.staleness.after_fill = job.stages[static_cast<size_t>(stage)].window;
    stages.push_back(status);
  }
  return stages;
}

std::string PlanText(const std::vector<StageStatus>& stages) {
  std::string text;
  for (const StageStatus& stage : stages) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", "stage ",
                    stage.stage.value(), ": units ", stage.first_unit, " to ",
                    stage.end_unit - 1, ", ", stage.parameters,
                    " parameters, on ", stage.worker.value());
  }
  return text;
}

}  // namespace

// Starts what can start now. A start may fail at once and free its workers.
void Coordinator::DispatchLocked() {
  if (draining_) return;
  while (true) {
    const QueueDecision decision =
        DecideQueue(WaitingJobs(jobs_), PresentWorkers(membership_));
    for (const QueueDecision::Wait& wait : decision.waits) {
      Job& job = *jobs_.Find(wait.job);
      if (job.status().reason == wait.reason) continue;
      job.Wait(wait.reason);
      PublishLocked(job);
    }
    if (decision.starts.empty()) return;
    for (const QueueDecision::Start& start : decision.starts) {
      BeginLocked(*jobs_.Find(start.job), start.places);
    }
  }
}

void Coordinator::BeginLocked(Job& job, const std::vector<WorkerName>& places) {
  std::vector<StagePlace> stage_places;
  for (const WorkerName& worker : places) {
    const Hello& hello = membership_.Find(worker)->hello;
    stage_places.push_back(
        {.stage = StageIndex(static_cast<int>(stage_places.size())),
         .worker = worker,
         .incarnation = hello.incarnation,
         .data_address = hello.data_address});
  }
  job.Begin(std::move(stage_places));
  if (job.status().state == JobState::kQueued) {
    job.Enter(JobState::kStarting, absl::StrCat("on ", Names(*job.run)),
              clock_.WallNow());
  }
  for (const StagePlace& place : job.run->places) {
    std::optional<Assignment>& assignment =
        membership_.Find(place.worker)->assignment;
    if (!assignment.has_value()) {
      assignment = {.job = job.id(), .generation = job.run->generation};
    }
    assignment->stages.push_back(place.stage.value());
  }
  SayLocked(LogLevel::kInfo, job.id().value(), " starts as generation ",
            job.run->generation.value(), " on ", Names(*job.run));
  if (auto cause = CheckNames(job.record().spec, HellosLocked(*job.run))) {
    return EndGenerationLocked(job, *cause);
  }
  // A plan's cuts are kept: an asynchronous job's weights depend on them.
  if (const std::optional<Plan> plan = job.record().plan) {
    return PlanLocked(job, plan->spec, plan->facts);
  }
  InspectLocked(job);
}

void Coordinator::InspectLocked(Job& job) {
  const WorkerName& reader = job.run->places.front().worker;
  job.run->phase = Run::Phase::kInspecting;
  job.run->waiting = {reader};
  job.run->deadline = clock_.Now() + options_.inspect_timeout;
  OrderLocked(*membership_.Find(reader),
              InspectData{job.id(), job.run->generation, job.record().spec});
  CommitLocked(job);
}

void Coordinator::PlanLocked(Job& job, const JobSpec& spec,
                             const DataFacts& facts) {
  const absl::StatusOr<ResolvedJob> resolved = ResolveJob(spec, facts);
  if (!resolved.ok()) {
    const std::string field = FieldOf(resolved.status());
    return EndGenerationLocked(
        job, {.kind = "invalid",
              .text = absl::StrCat(field, field.empty() ? "" : ": ",
                                   resolved.status().message())});
  }
  const std::vector<const Hello*> hellos = HellosLocked(*job.run);
  if (auto cause = CheckStages(*resolved, hellos)) {
    return EndGenerationLocked(job, *cause);
  }
  const std::vector<StageStatus> stages = InitialStages(*resolved, *job.run);
  job.SetPlan({.job = job.id(),
               .generation = job.run->generation,
               .spec = resolved->spec,
               .facts = facts,
               .places = job.run->places},
              stages, resolved->steps, resolved->steps_per_epoch,
              hellos.front()->build);
  job.AddEvent("plan", PlanText(stages), clock_.WallNow());
  job.run->phase = Run::Phase::kStoring;
  job.run->waiting.clear();
  job.run->deadline = absl::InfiniteDuration();
  CommitLocked(job, [this, id = job.id(), generation = job.run->generation](
                        const absl::Status& stored) {
    if (stored.ok()) OnPlanStored(id, generation);
  });
}

// No worker hears of a generation that a restart would not know.
void Coordinator::OnPlanStored(const JobId& id, Generation generation) {
  const MutexLock lock(mutex_);
  Job* job = jobs_.Find(id);
  if (job == nullptr || !job->run.has_value() ||
      job->run->generation != generation) {
    return;
  }
  PrepareLocked(*job);
}

void Coordinator::PrepareLocked(Job& job) {
  job.run->phase = Run::Phase::kPreparing;
  job.run->waiting = job.run->Workers();
  job.run->deadline = clock_.Now() + options_.prepare_timeout;
  for (const WorkerName& worker : job.run->Workers()) {
    OrderLocked(*membership_.Find(worker), PrepareStages{*job.record().plan});
  }
}

void Coordinator::TrainLocked(Job& job) {
  job.run->phase = Run::Phase::kTraining;
  job.run->deadline = absl::InfiniteDuration();
  for (const WorkerName& worker : job.run->Workers()) {
    OrderLocked(*membership_.Find(worker),
                StartStages{job.id(), job.run->generation});
  }
  if (job.recovering_since.has_value()) {
    metrics_.ObserveRecovery(clock_.Now() - *job.recovering_since);
    job.recovering_since.reset();
  }
  job.Enter(JobState::kRunning,
            absl::StrCat("as generation ", job.run->generation.value(), " on ",
                         Names(*job.run)),
            clock_.WallNow());
  CommitLocked(job);
}

void Coordinator::SucceedLocked(Job& job) {
  job.Enter(JobState::kSucceeded,
            absl::StrCat("after ", job.status().step, " steps"),
            clock_.WallNow());
  EndRunLocked(job, "the job has succeeded");
  CommitLocked(job);
  SayLocked(LogLevel::kInfo, job.id().value(), " has succeeded");
}

void Coordinator::EndGenerationLocked(Job& job, const Cause& cause) {
  const absl::Time now = clock_.WallNow();
  const std::optional<Cause> last = FinalCause(cause, job.status().recoveries);
  SayLocked(LogLevel::kWarning, job.id().value(), ": ", cause.text);
  job.AddEvent("failure", cause.text, now);
  if (last.has_value()) {
    job.SetCause(*last);
    for (const WorkerName& worker : job.run->Workers()) {
      Member* member = membership_.Find(worker);
      if (member != nullptr && member->here()) {
        OrderLocked(*member, stagecoach::RequestFlightRecord{job.id()});
      }
    }
    job.Enter(JobState::kFailed, last->text, now);
  } else {
    job.SetCause(cause);
    job.CountRecovery();
    metrics_.CountRecovery();
    if (!job.recovering_since.has_value()) {
      job.recovering_since = clock_.Now();
    }
    if (job.status().state != JobState::kRecovering) {
      job.Enter(JobState::kRecovering,
                absl::StrCat(job.status().recoveries, " of ", kMaxRecoveries),
                now);
    }
  }
  EndRunLocked(job, cause.text);
  CommitLocked(job);
}

void Coordinator::EndRunLocked(Job& job, const std::string& reason) {
  if (!job.run.has_value()) return;
  for (const WorkerName& worker : job.run->Workers()) {
    Member* member = membership_.Find(worker);
    if (member != nullptr && member->assignment.has_value() &&
        member->assignment->job == job.id() && !member->assignment->stopping) {
      StopLocked(*member, reason);
    }
  }
  job.run.reset();
}

std::vector<const Hello*> Coordinator::HellosLocked(const Run& run) {
  std::vector<const Hello*> hellos;
  for (const StagePlace& place : run.places) {
    hellos.push_back(&membership_.Find(place.worker)->hello);
  }
  return hellos;
}

}  // namespace stagecoach

// What workers report.

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "core/base/field_error.h"

namespace stagecoach {

void Coordinator::Receive(SessionId session, int64_t serial,
                          const Report& report) {
  const MutexLock lock(mutex_);
  if (draining_) return;  // reported again to the next coordinator
  Member* member = membership_.FindSession(session);
  if (member == nullptr) return;
  const std::shared_ptr<WorkerControl> control = member->control;
  if (serial > member->last_report) {
    member->last_report = serial;
    const auto take = [&](const auto& kind) ABSL_EXCLUSIVE_LOCKS_REQUIRED(
                          mutex_) { TakeLocked(*member, kind); };
    std::visit(take, report);
    DispatchLocked();
  }
  // In the journal's turn: after what the report has changed is stored.
  journal_.Enqueue({}, [control, serial](const absl::Status& stored) {
    if (stored.ok()) control->Acknowledge(serial);
  });
}

Job* Coordinator::AtWorkLocked(const Member& member, const JobId& id,
                               Generation generation) {
  Job* job = jobs_.Find(id);
  const bool at_work =
      job != nullptr && job->run.has_value() &&
      job->run->generation == generation &&
      job->run->Includes(member.hello.name, member.hello.incarnation);
  return at_work ? job : nullptr;
}

Job* Coordinator::TrainingLocked(const Member& member, const JobId& id,
                                 Generation generation, StageIndex stage) {
  Job* job = AtWorkLocked(member, id, generation);
  const bool trains =
      job != nullptr && (job->run->phase == Run::Phase::kTraining ||
                         job->run->phase == Run::Phase::kAdopting);
  return trains && job->run->Holds(member.hello.name, stage) ? job : nullptr;
}

void Coordinator::TakeLocked(Member& member, const DataInspected& report) {
  Job* job = AtWorkLocked(member, report.job, report.generation);
  if (job == nullptr || job->run->phase != Run::Phase::kInspecting ||
      !job->run->waiting.contains(member.hello.name)) {
    return;
  }
  if (report.facts.ok()) {
    return PlanLocked(*job, job->record().spec, *report.facts);
  }
  const absl::Status& error = report.facts.status();
  const std::string field = FieldOf(error);
  EndGenerationLocked(
      *job, {.kind = "data",
             .stage = 0,
             .text = absl::StrCat("on worker ", member.hello.name.value(), ": ",
                                  field, field.empty() ? "" : ": ",
                                  error.message())});
}

void Coordinator::TakeLocked(Member& member, const StagesPrepared& report) {
  Job* job = AtWorkLocked(member, report.job, report.generation);
  if (job == nullptr || job->run->phase != Run::Phase::kPreparing) return;
  job->run->waiting.erase(member.hello.name);
  if (job->run->waiting.empty()) TrainLocked(*job);
}

void Coordinator::TakeLocked(Member& member, const StageProgressed& report) {
  Job* job = TrainingLocked(member, report.job, report.generation,
                            report.status.stage);
  if (job == nullptr) return;
  job->Progress(report.status, report.training);
  PublishLocked(*job);
}

void Coordinator::TakeLocked(Member& member, const CutEvaluated& report) {
  Job* job = AtWorkLocked(member, report.job, report.generation);
  if (job == nullptr) return;
  job->Evaluate(report.evaluation, clock_.WallNow());
  CommitLocked(*job);
}

void Coordinator::TakeLocked(Member& member, const StageFinished& report) {
  Job* job = TrainingLocked(member, report.job, report.generation,
                            report.status.stage);
  if (job == nullptr) return;
  job->Progress(report.status, report.training);
  if (job->FinishStage(report.status.stage, report.digest_lines)) {
    SucceedLocked(*job);
  } else {
    CommitLocked(*job);
  }
}

void Coordinator::TakeLocked(Member& member, const StageFailed& report) {
  Job* job = AtWorkLocked(member, report.job, report.generation);
  if (job != nullptr) EndGenerationLocked(*job, report.cause);
}

void Coordinator::TakeLocked(Member& member, const StagesStopped& report) {
  const std::optional<Assignment>& assignment = member.assignment;
  if (assignment.has_value() && assignment->stopping &&
      assignment->job == report.job &&
      assignment->generation <= report.generation) {
    member.assignment.reset();
  }
}

void Coordinator::TakeLocked(Member& member, const FlightRecord& report) {
  for (auto& ready : flights_.Take(member.hello.name, report)) {
    executor_.Post(std::move(ready));
  }
  Job* job = jobs_.Find(report.job);
  if (job == nullptr || job->status().state != JobState::kFailed ||
      job->status().generation != report.generation) {
    return;
  }
  job->AddMoves(report.stage, report.moves, clock_.WallNow());
  CommitLocked(*job);
}

void Coordinator::TakeLocked(Member&, const LogLine& report) {
  Job* job = jobs_.Find(report.job);
  if (job == nullptr || IsFinal(job->status().state)) return;
  job->AddLogLine(report.text, clock_.WallNow());
  CommitLocked(*job);
}

}  // namespace stagecoach

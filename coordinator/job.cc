#include "coordinator/job.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "core/base/check.h"
#include "core/digest/sha256.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {
namespace {

// The better accuracy, and of equal ones the smaller loss.
bool Better(const Evaluation& left, const Evaluation& right) {
  if (left.accuracy != right.accuracy) return left.accuracy > right.accuracy;
  return left.loss < right.loss;
}

std::string OneLine(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\r", ""}, {"\n", " "}});
}

std::string DigestOf(std::vector<FinishedStage> finished) {
  std::sort(finished.begin(), finished.end(),
            [](const FinishedStage& left, const FinishedStage& right) {
              return left.stage < right.stage;
            });
  Sha256 digest;
  for (const FinishedStage& stage : finished) {
    for (const std::string& line : stage.digest_lines) digest.Update(line);
  }
  return digest.Finish();
}

}  // namespace

bool MayFollow(JobState from, JobState to) {
  if (IsFinal(from)) return false;
  if (to == JobState::kFailed || to == JobState::kCancelled) return true;
  switch (from) {
    case JobState::kQueued:
      return to == JobState::kStarting;
    case JobState::kStarting:
      return to == JobState::kRunning || to == JobState::kRecovering ||
             to == JobState::kQueued;
    case JobState::kRunning:
      return to == JobState::kSucceeded || to == JobState::kRecovering;
    case JobState::kRecovering:
      return to == JobState::kRunning;
    default:
      return false;
  }
}

Job Job::Submitted(int64_t number, const std::string& key,
                   const JobSpec& resolved, absl::Time now) {
  JobRecord record = {.number = number, .key = key, .spec = resolved};
  record.status.id = JobId(absl::StrCat("job-", number));
  record.status.name = resolved.name;
  record.status.submitted = now;
  record.status.spec_digest = SpecDigest(resolved);
  Job job(std::move(record));
  job.AddEvent("state", "queued", now);
  return job;
}

void Job::Enter(JobState state, absl::string_view text, absl::Time now) {
  SC_CHECK(MayFollow(record_.status.state, state),
           absl::StrCat(NameOf(record_.status.state), " to ", NameOf(state)));
  JobStatus& status = record_.status;
  status.state = state;
  status.reason.clear();
  if (state == JobState::kRunning) status.cause.reset();
  if (state == JobState::kStarting) status.started = now;
  if (IsFinal(state)) status.finished = now;
  AddEvent("state", absl::StrCat(NameOf(state), text.empty() ? "" : " ", text),
           now);
}

void Job::Wait(const std::string& reason) {
  if (record_.status.reason == reason) return;
  record_.status.reason = reason;
  ++revision_;
}

void Job::AddEvent(absl::string_view kind, absl::string_view text,
                   absl::Time now) {
  new_events_.push_back({.sequence = ++record_.last_event,
                         .time = now,
                         .kind = std::string(kind),
                         .text = OneLine(text)});
  ++revision_;
}

void Job::AddLogLine(absl::string_view text, absl::Time now) {
  if (++log_lines_ <= kMaxLogLines) {
    AddEvent("log", text, now);
  } else if (log_lines_ == kMaxLogLines + 1) {
    AddEvent(
        "log",
        absl::StrCat("further log lines are left out after ", kMaxLogLines),
        now);
  }
}

void Job::Begin(std::vector<StagePlace> places) {
  JobStatus& status = record_.status;
  status.generation = status.generation.next();
  status.reason.clear();
  status.step = 0;
  status.training = {};
  status.last_evaluation.reset();
  status.best_evaluation.reset();
  status.stages.clear();
  record_.finished.clear();
  moves_of_.clear();
  run = Run{.generation = status.generation, .places = std::move(places)};
  ++revision_;
}

void Job::SetPlan(const Plan& plan, const std::vector<StageStatus>& stages,
                  int64_t steps, int64_t steps_per_epoch,
                  const std::string& build) {
  record_.plan = plan;
  record_.status.stages = stages;
  record_.status.steps = steps;
  record_.status.steps_per_epoch = steps_per_epoch;
  record_.status.build = build;
  ++revision_;
}

bool Job::IsLast(StageIndex stage) const {
  return stage.value() + 1 == static_cast<int>(record_.status.stages.size());
}

void Job::Progress(const StageStatus& stage, const TrainingFigures& figures) {
  JobStatus& status = record_.status;
  const auto index = static_cast<size_t>(stage.stage.value());
  if (index >= status.stages.size()) return;
  status.stages[index] = stage;
  if (IsLast(stage.stage)) {
    status.step = stage.version;
    status.training = figures;
  }
  ++revision_;
}

void Job::Evaluate(const Evaluation& evaluation, absl::Time now) {
  JobStatus& status = record_.status;
  // Told twice: a coordinator that was restarted knows no serial of a report.
  if (status.last_evaluation.has_value() &&
      evaluation.version <= status.last_evaluation->version) {
    return;
  }
  status.last_evaluation = evaluation;
  if (!status.best_evaluation.has_value() ||
      Better(evaluation, *status.best_evaluation)) {
    status.best_evaluation = evaluation;
  }
  AddEvent("evaluation",
           absl::StrFormat("step %d: loss %.4f, accuracy %.2f %%",
                           evaluation.version, evaluation.loss,
                           100 * evaluation.accuracy),
           now);
}

bool Job::HasFinished(StageIndex stage) const {
  return std::any_of(
      record_.finished.begin(), record_.finished.end(),
      [&](const FinishedStage& done) { return done.stage == stage; });
}

bool Job::FinishStage(StageIndex stage, const std::vector<std::string>& lines) {
  if (!HasFinished(stage)) record_.finished.push_back({stage, lines});
  ++revision_;
  if (record_.finished.size() < record_.status.stages.size()) return false;
  record_.status.weights_digest = DigestOf(record_.finished);
  return true;
}

void Job::AddMoves(StageIndex stage, const std::vector<std::string>& moves,
                   absl::Time now) {
  if (!moves_of_.insert(stage).second) return;
  const size_t skipped = moves.size() - std::min(moves.size(), kMaxMoves);
  for (size_t move = skipped; move < moves.size(); ++move) {
    AddEvent("moves", absl::StrCat("stage ", stage.value(), ": ", moves[move]),
             now);
  }
}

void Job::SetCause(const Cause& cause) {
  record_.status.cause = cause;
  ++revision_;
}

void Job::CountRecovery() {
  ++record_.status.recoveries;
  ++revision_;
}

Mutation Job::TakeMutation() {
  return {
      .job = id(), .record = record_, .events = std::exchange(new_events_, {})};
}

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "coordinator/job_record.h"
#include "coordinator/job_store.h"
#include "coordinator/run.h"

namespace stagecoach {

//   queued ──► starting ──► running ──► succeeded
//     ▲           │  │        │  ▲
//     └───────────┘  └──►  recovering
//   (a restart of the coordinator)
//
// and from each of these to failed or cancelled, after which nothing follows.
bool MayFollow(JobState from, JobState to);

// One job in memory: its record, what changed since it was last stored, and the
// generation that is at work.
//
// Thread-confined: Coordinator, under its lock.
class Job {
 public:
  explicit Job(JobRecord record) : record_(std::move(record)) {}

  // A job that was just submitted.
  static Job Submitted(int64_t number, const std::string& key,
                       const JobSpec& resolved, absl::Time now);

  const JobRecord& record() const { return record_; }
  const JobStatus& status() const { return record_.status; }
  const JobId& id() const { return record_.status.id; }

  // Counts changes of the status, so that older snapshots are told apart.
  int64_t revision() const { return revision_; }

  // Goes to `state`, which must be allowed, with a "state" event: its name and
  // `text` after it. Sets the times and clears the reason.
  void Enter(JobState state, absl::string_view text, absl::Time now);

  // Why the job waits. Stored with the next change only.
  void Wait(const std::string& reason);

  void AddEvent(absl::string_view kind, absl::string_view text, absl::Time now);

  // One log line of a worker. Beyond kMaxLogLines one event says that the rest
  // is left out.
  void AddLogLine(absl::string_view text, absl::Time now);
  static constexpr int64_t kMaxLogLines = 10'000;

  // Starts the next generation on these places; figures begin anew.
  void Begin(std::vector<StagePlace> places);

  // The generation's plan, and what follows from it.
  void SetPlan(const Plan& plan, const std::vector<StageStatus>& stages,
               int64_t steps, int64_t steps_per_epoch,
               const std::string& build);

  void Progress(const StageStatus& stage, const TrainingFigures& figures);
  // One of a version that was evaluated already changes nothing.
  void Evaluate(const Evaluation& evaluation, absl::Time now);

  // Keeps the stage's digest lines. True once all stages have finished; then
  // the weights' digest is known.
  bool FinishStage(StageIndex stage, const std::vector<std::string>& lines);
  bool HasFinished(StageIndex stage) const;

  // The last moves of a stage, as events: once for each stage of a generation,
  // the newest kMaxMoves.
  void AddMoves(StageIndex stage, const std::vector<std::string>& moves,
                absl::Time now);
  static constexpr size_t kMaxMoves = 100;

  void SetCause(const Cause& cause);
  void CountRecovery();

  // What is to be stored now. Calling it says that it will be.
  Mutation TakeMutation();

  // The generation at work; none while the job waits for workers, and after its
  // end.
  std::optional<Run> run;

  // Since when it recovers (monotonic).
  std::optional<absl::Duration> recovering_since;

 private:
  bool IsLast(StageIndex stage) const;

  JobRecord record_;
  std::vector<JobEvent> new_events_;
  int64_t revision_ = 1;
  int64_t log_lines_ = 0;
  std::set<StageIndex> moves_of_;
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/base/ids.h"
#include "core/job/value.h"

namespace stagecoach {

// States of a job as users see them; the last three are final.
enum class JobState {
  kQueued,
  kStarting,
  kRunning,
  kRecovering,
  kSucceeded,
  kFailed,
  kCancelled,
};

absl::string_view NameOf(JobState state);  // "queued"
bool IsFinal(JobState state);

// Why a job is in its state, for machines and people.
struct Cause {
  // "worker_lost", "link_lost", "data", "invalid", "non_finite", "contract",
  // "torch", "memory", "deadline", "cancelled", "internal"
  std::string kind;
  int stage = -1;  // -1: none in particular
  int64_t step = -1;
  int64_t item = -1;
  std::string text;  // one line

  friend bool operator==(const Cause&, const Cause&) = default;
};

// Staleness counted in items at the updates so far.
struct Staleness {
  int64_t minimum = 0;
  int64_t maximum = 0;
  int64_t last = 0;
  int64_t after_fill = 0;  // the method's m_k
  int64_t violations = 0;  // updates whose staleness was not min(j, m_k)

  friend bool operator==(const Staleness&, const Staleness&) = default;
};

// One stage of a job, at a moment.
struct StageStatus {
  StageIndex stage;
  WorkerName worker;
  int64_t first_unit = 0;
  int64_t end_unit = 0;
  int64_t parameters = 0;  // elements
  int64_t version = 0;
  int64_t applied = 0;
  Staleness staleness;
  int64_t stored_inputs_peak = 0;
  double seconds = 0;  // since it started
  // Shares of that time, each 0 .. 1.
  double busy = 0;
  double waiting_input = 0;
  double waiting_gradient = 0;
  double waiting_credit = 0;
  double waiting_data = 0;
  std::string waiting_for;  // now: "", "input", "gradient", "credit", "data"
  int64_t peak_memory_bytes = 0;

  friend bool operator==(const StageStatus&, const StageStatus&) = default;
};

// What the last stage knows of training.
struct TrainingFigures {
  int64_t samples = 0;    // whose items were applied
  double epoch_loss = 0;  // mean over the current epoch so far
  double last_loss = 0;   // mean over the last item
  double accuracy = 0;    // over the current epoch so far
  // From the end of the fill to the start of the drain, evaluations excluded.
  double samples_per_second = 0;
  double training_seconds = 0;  // evaluations excluded

  friend bool operator==(const TrainingFigures&,
                         const TrainingFigures&) = default;
};

struct Evaluation {
  int64_t version = 0;  // the cut
  double loss = 0;
  double accuracy = 0;
  int64_t samples = 0;

  friend bool operator==(const Evaluation&, const Evaluation&) = default;
};

// Everything that `list`, `describe`, `watch` and `result` show of a job.
struct JobStatus {
  JobId id;
  std::string name;
  JobState state = JobState::kQueued;
  std::string reason;  // why it waits, while it is queued
  std::optional<Cause> cause;
  absl::Time submitted;
  absl::Time started = absl::InfinitePast();   // InfinitePast: not yet
  absl::Time finished = absl::InfinitePast();  // InfinitePast: not yet
  Generation generation;
  int64_t step = 0;   // version of the last stage
  int64_t steps = 0;  // 0: not known yet
  int64_t steps_per_epoch = 0;
  int64_t recoveries = 0;
  TrainingFigures training;
  std::optional<Evaluation> last_evaluation;
  std::optional<Evaluation> best_evaluation;
  std::vector<StageStatus> stages;
  std::string weights_digest;
  std::string spec_digest;
  std::string build;

  friend bool operator==(const JobStatus&, const JobStatus&) = default;
};

// The `result` of interface.md section 4.
Value ResultValue(const JobStatus& status);

// One thing that happened to a job. Sequence numbers count from 1 without a
// gap; events are never dropped. Progress is no event: it is conflated.
struct JobEvent {
  int64_t sequence = 0;
  absl::Time time;
  std::string kind;  // "state", "plan", "evaluation", "failure", "moves", "log"
  std::string text;  // one line, for people

  friend bool operator==(const JobEvent&, const JobEvent&) = default;
};

// One worker as the coordinator sees it.
struct WorkerStatus {
  WorkerName name;
  std::string state;  // "idle", "busy", "lost"
  std::string address;
  std::string device;
  std::string build;
  int slots = 0;
  int free_slots = 0;
  int64_t memory_bytes = 0;
  std::string jobs;  // "job-3 stages 0, 1"

  friend bool operator==(const WorkerStatus&, const WorkerStatus&) = default;
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "coordinator/coordinator_metrics.h"
#include "coordinator/flight_requests.h"
#include "coordinator/job_feed.h"
#include "coordinator/job_store.h"
#include "coordinator/job_table.h"
#include "coordinator/journal.h"
#include "coordinator/membership.h"
#include "core/base/clock.h"
#include "core/base/executor.h"
#include "core/base/mutex.h"
#include "core/log/log.h"
#include "core/session/report.h"

namespace stagecoach {

struct CoordinatorOptions {
  Membership::Options membership;
  // How long a phase of a job may take before the job fails.
  absl::Duration inspect_timeout = absl::Seconds(60);
  absl::Duration prepare_timeout = absl::Seconds(120);
  // How long a worker may take to drop stages before it is taken for lost.
  absl::Duration stop_timeout = absl::Seconds(30);
  // How long workers may take to return after the coordinator was restarted.
  absl::Duration adopt_timeout = absl::Seconds(10);
  absl::Duration flight_timeout = absl::Seconds(5);
  // Leases and deadlines are looked at this often.
  absl::Duration tick = absl::Milliseconds(250);
  // Jobs that have not ended; more are refused.
  size_t max_open_jobs = 1000;
  // Jobs that have ended and are remembered; older ones are forgotten.
  size_t max_ended_jobs = 1000;
};

// What a coordinator stands on. All of it outlives the coordinator but the
// executors: their tasks use it, so they are destroyed before it.
struct CoordinatorSeams {
  Clock& clock;
  Executor& executor;  // talks to workers, and ticks
  JobStore& store;
  Executor& journal_executor;  // the only one to touch the store
  Metrics& metrics;
  // The store failed: the process should end.
  std::function<void(const absl::Status&)> on_failure;
};

// Takes jobs, places them on workers, and sees them through to an end. One
// locked object: calls decide under the lock; what they decide is stored by the
// journal and told to workers and watchers by the executors, in that order
// where it matters. README.md draws the life of a job.
//
// Thread-safe. No call blocks. A `done` is called exactly once: at once from
// inside the call for errors that need no storing, else from the journal's
// thread, when what it tells is stored.
class Coordinator {
 public:
  using StatusDone = std::function<void(absl::StatusOr<JobStatus>)>;
  using FlightDone = FlightRequests::Done;

  struct Description {
    JobStatus status;
    JobSpec spec;
  };

  // Loads the jobs that are stored. Errors are the store's.
  static absl::StatusOr<std::unique_ptr<Coordinator>> Start(
      const CoordinatorOptions& options, const CoordinatorSeams& seams);

  // --- For clients.

  // The job as stored: a new one, or the one that has this key.
  //   FieldError: a field is wrong; kAlreadyExists: the key belongs to another
  //   job; kResourceExhausted: too many jobs; kUnavailable: draining.
  void Submit(const JobSpec& spec, const std::string& key, StatusDone done);

  // The newest first.
  std::vector<JobStatus> List() const;

  // kNotFound: there is no such job.
  absl::StatusOr<Description> Describe(const JobId& id) const;

  // OK also when the job is cancelled already.
  //   kNotFound; kFailedPrecondition: it has ended otherwise; kUnavailable:
  //   draining.
  void Cancel(const JobId& id, StatusDone done);

  // By name.
  std::vector<WorkerStatus> Workers() const;

  //   kNotFound: there is no such worker; kFailedPrecondition: it holds no
  //   stage; kUnavailable: it is lost; kDeadlineExceeded: it does not answer.
  void RequestFlightRecord(const WorkerName& worker, FlightDone done);

  // Where to watch jobs.
  JobFeed& feed() { return feed_; }

  // --- For workers' sessions.

  // The worker is a member now and will be welcomed.
  //   kInvalidArgument: the hello breaks a rule; kUnavailable: draining.
  absl::StatusOr<SessionId> Join(const Hello& hello,
                                 std::shared_ptr<WorkerControl> control);

  // These ignore a session that was replaced or given up; its control was
  // closed then.
  void Renew(SessionId session, int64_t last_order);
  void Receive(SessionId session, int64_t serial, const Report& report);
  void Disconnect(SessionId session);

  // --- For the process.

  // Takes no more jobs, workers and reports, ends sessions and watches, and
  // stores what is left; false if that takes longer than `timeout`. Workers
  // train on. Afterwards no task of one executor posts to the other.
  bool Drain(absl::Duration timeout);

  // Why no work can be done now; empty when it can. For /readyz.
  std::string NotReady() const;

 private:
  Coordinator(const CoordinatorOptions& options, const CoordinatorSeams& seams);

  // coordinator.cc
  absl::Status Load();
  void RestoreLocked(Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Tick();
  void LoseLapsedLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LoseUnstoppableLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void EndLatePhasesLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ShowMetricsLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CommitLocked(Job& job, Journal::Done then = nullptr)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PublishLocked(const Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // Writes to the log, which may block, without the lock.
  template <typename... Parts>
  void SayLocked(LogLevel level, const Parts&... parts)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!LogEnabled(level)) return;
    executor_.Post(
        [level, line = absl::StrCat(parts...)] { WriteLog(level, line); });
  }

  // coordinator_clients.cc
  absl::StatusOr<Job*> AcceptLocked(const JobSpec& resolved,
                                    const std::string& key, bool& is_new)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ForgetOldJobsLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  WorkerStatus StatusOfLocked(const Member& member) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // coordinator_sessions.cc
  void FenceLocked(const Hello& hello) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void ReconcileLocked(Member& member) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AdoptLocked(Job& job, Member& member)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LoseLocked(const WorkerName& name, const std::string& why)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OrderLocked(Member& member, Order order)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StopLocked(Member& member, const std::string& reason)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // coordinator_reports.cc
  void TakeLocked(Member& member, const DataInspected& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const StagesPrepared& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const StageProgressed& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const CutEvaluated& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const StageFinished& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const StageFailed& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const StagesStopped& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const FlightRecord& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeLocked(Member& member, const LogLine& report)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The job, if this generation of it is at work on the worker; else null.
  Job* AtWorkLocked(const Member& member, const JobId& id,
                    Generation generation)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same, if it trains there and the worker holds the stage; else null.
  Job* TrainingLocked(const Member& member, const JobId& id,
                      Generation generation, StageIndex stage)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  // coordinator_flow.cc
  void DispatchLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void BeginLocked(Job& job, const std::vector<WorkerName>& places)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void InspectLocked(Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PlanLocked(Job& job, const JobSpec& spec, const DataFacts& facts)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnPlanStored(const JobId& id, Generation generation);
  void PrepareLocked(Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TrainLocked(Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SucceedLocked(Job& job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The generation at work cannot go on: the job starts again, or fails.
  void EndGenerationLocked(Job& job, const Cause& cause)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Tells the generation's workers to drop its stages.
  void EndRunLocked(Job& job, const std::string& reason)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<const Hello*> HellosLocked(const Run& run)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const CoordinatorOptions options_;
  const Clock& clock_;
  Executor& executor_;
  Journal journal_;
  JobFeed feed_;
  JobStore& store_;  // before Start() returns, then the journal's

  mutable Mutex mutex_;
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  JobTable jobs_ ABSL_GUARDED_BY(mutex_);
  Membership membership_ ABSL_GUARDED_BY(mutex_);
  FlightRequests flights_ ABSL_GUARDED_BY(mutex_);
  CoordinatorMetrics metrics_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

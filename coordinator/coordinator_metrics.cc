#include "coordinator/coordinator_metrics.h"

namespace stagecoach {

CoordinatorMetrics::CoordinatorMetrics(Metrics& metrics)
    : metrics_(metrics),
      lease_expirations_(metrics.AddCounter(
          "coordinator_lease_expirations_total",
          "Workers that were silent for the length of a lease")),
      recoveries_(metrics.AddCounter("coordinator_recoveries_total",
                                     "Jobs that lost a worker or a link")),
      recovery_seconds_(metrics.AddHistogram(
          "coordinator_recovery_seconds",
          "From the loss of a worker or a link until the job runs again", {},
          {0.5, 1, 2, 5, 10, 20, 60, 300})) {
  for (const JobState state :
       {JobState::kQueued, JobState::kStarting, JobState::kRunning,
        JobState::kRecovering, JobState::kSucceeded, JobState::kFailed,
        JobState::kCancelled}) {
    jobs_[state] = metrics.AddGauge("coordinator_jobs", "Jobs by state",
                                    {{"state", std::string(NameOf(state))}});
  }
  for (const char* state : {"idle", "busy", "lost"}) {
    workers_[state] = metrics.AddGauge("coordinator_workers",
                                       "Workers by state", {{"state", state}});
  }
}

void CoordinatorMetrics::ShowJob(const JobStatus& status) {
  if (IsFinal(status.state)) {
    by_job_.erase(status.id);
    return;
  }
  const Labels labels = {{"job", status.id.value()}};
  const auto [entry, is_new] = by_job_.try_emplace(status.id);
  JobGauges& gauges = entry->second;
  if (is_new) {
    gauges.step = metrics_.AddGauge(
        "job_step", "Updates applied at the last stage", labels);
    gauges.epoch =
        metrics_.AddGauge("job_epoch", "Epochs, the part of one too", labels);
  }
  gauges.step.Set(static_cast<double>(status.step));
  if (status.steps_per_epoch > 0) {
    gauges.epoch.Set(static_cast<double>(status.step) /
                     static_cast<double>(status.steps_per_epoch));
  }
  if (status.training.samples > 0) {
    if (!gauges.loss.has_value()) {
      gauges.loss = metrics_.AddGauge(
          "job_loss", "Mean training loss of the current epoch", labels);
    }
    gauges.loss->Set(status.training.epoch_loss);
  }
  if (status.last_evaluation.has_value()) {
    if (!gauges.accuracy.has_value()) {
      gauges.accuracy = metrics_.AddGauge(
          "job_accuracy", "Accuracy of the newest evaluation, 0 to 1", labels);
    }
    gauges.accuracy->Set(status.last_evaluation->accuracy);
  }
}

void CoordinatorMetrics::ShowJobs(const std::map<JobState, int>& jobs) {
  for (auto& [state, gauge] : jobs_) {
    const auto count = jobs.find(state);
    gauge.Set(count == jobs.end() ? 0 : count->second);
  }
}

void CoordinatorMetrics::ShowWorkers(
    const std::map<std::string, int>& workers) {
  for (auto& [state, gauge] : workers_) {
    const auto count = workers.find(state);
    gauge.Set(count == workers.end() ? 0 : count->second);
  }
}

}  // namespace stagecoach

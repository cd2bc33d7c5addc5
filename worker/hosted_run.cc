#include "worker/hosted_run.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/stage/cause.h"

namespace stagecoach {
namespace {

// A link that does not come about: worth another try with a new plan, unless
// the two ends disagree about it.
Cause CauseOfLink(const absl::Status& error, StageIndex stage) {
  return {.kind = absl::IsInvalidArgument(error) ? "contract" : "link_lost",
          .stage = stage.value(),
          .text = std::string(error.message())};
}

}  // namespace

HostedRun::HostedRun(Plan plan, std::shared_ptr<const ResolvedJob> job,
                     WorkerName worker, const Seams& seams)
    : plan_(std::move(plan)),
      job_(std::move(job)),
      worker_(std::move(worker)),
      seams_(seams) {}

void HostedRun::Prepare(const std::shared_ptr<const DataSource>& data) {
  for (const StagePlace& place : plan_.places) {
    if (place.worker != worker_) continue;
    Host(place.stage, place.stage == StageIndex(0) ? data : nullptr);
  }
  for (auto& [index, place] : stages_) place.stage->Create();
}

void HostedRun::Host(StageIndex stage, std::shared_ptr<const DataSource> data) {
  const StageOptions options{.job = job_,
                             .id = plan_.job,
                             .generation = plan_.generation,
                             .stage = stage,
                             .device = job_->spec.resources.device,
                             .data = std::move(data)};
  HostedStageListener& listener = *this;
  stages_[stage].stage = std::make_shared<HostedStage>(
      options, worker_, seams_.stage,
      seams_.make_thread(absl::StrCat("stage-", stage.value())),
      seams_.watch == nullptr ? nullptr : seams_.watch(options), listener);
}

void HostedRun::OnCreated(StageIndex stage, absl::Status status) {
  if (!status.ok()) return Fail(CauseOf(status, stage, /*version=*/0));
  stages_[stage].phase = Phase::kPrepared;
  if (failed_ || !AllAre(Phase::kPrepared)) return;
  ExpectLinks();
  seams_.report(StagesPrepared{plan_.job, plan_.generation});
}

// Before the report: once all have reported, whoever connects is expected.
void HostedRun::ExpectLinks() {
  for (auto& [index, place] : stages_) {
    if (index != StageIndex(0)) place.stage->ExpectBelow(seams_.network);
  }
}

void HostedRun::Start() {
  if (started_ || stopping_ || !AllAre(Phase::kPrepared)) return;
  started_ = true;
  ConnectLinks();
  for (auto& [index, place] : stages_) StartIfLinked(place);
}

void HostedRun::ConnectLinks() {
  for (auto& [index, place] : stages_) {
    const auto above = static_cast<size_t>(index.value()) + 1;
    if (above == plan_.places.size()) continue;
    place.stage->ConnectAbove(seams_.network, plan_.places[above].data_address);
  }
}

void HostedRun::OnLinked(StageIndex stage, absl::Status status) {
  if (!status.ok()) return Fail(CauseOfLink(status, stage));
  StartIfLinked(stages_[stage]);
}

void HostedRun::StartIfLinked(Place& place) {
  if (!started_ || failed_ || place.phase != Phase::kPrepared ||
      !place.stage->linked()) {
    return;
  }
  place.phase = Phase::kRunning;
  place.stage->Start();
}

void HostedRun::OnEvaluated(const Evaluation& evaluation) {
  seams_.report(CutEvaluated{plan_.job, plan_.generation, evaluation});
}

void HostedRun::OnEnded(StageIndex stage,
                        absl::StatusOr<std::vector<std::string>> digest) {
  Place& place = stages_[stage];
  place.phase = Phase::kEnded;
  place.stage->ShowStatus();
  const StageStatus status = place.stage->Status();
  if (!digest.ok()) {
    return Fail(CauseOf(digest.status(), stage, status.version));
  }
  seams_.report(StageFinished{.job = plan_.job,
                              .generation = plan_.generation,
                              .status = status,
                              .training = place.stage->Training(),
                              .digest_lines = *std::move(digest)});
}

// Only the first failure is told: what follows from it, such as a neighbour's
// lost link, would hide it. The links stay for the same reason, until the
// coordinator stops the run everywhere.
void HostedRun::Fail(Cause cause) {
  if (std::exchange(failed_, true)) return;
  for (FlightRecord& record : Moves()) seams_.report(std::move(record));
  seams_.report(StageFailed{plan_.job, plan_.generation, std::move(cause)});
}

void HostedRun::Stop(std::function<void()> gone) {
  stopping_ = true;
  left_ = stages_.size();
  if (stages_.empty()) return seams_.stage.worker.Post(std::move(gone));
  seams_.network.Forget(plan_.job, plan_.generation);
  for (auto& [index, place] : stages_) {
    place.stage->Stop([this, gone] {
      if (--left_ == 0) gone();
    });
  }
}

void HostedRun::ReportProgress() {
  for (auto& [index, place] : stages_) {
    if (place.phase != Phase::kRunning) continue;
    place.stage->ShowStatus();
    seams_.report(StageProgressed{.job = plan_.job,
                                  .generation = plan_.generation,
                                  .status = place.stage->Status(),
                                  .training = place.stage->Training()});
  }
}

bool HostedRun::AllAre(Phase phase) const {
  return std::all_of(stages_.begin(), stages_.end(), [&](const auto& entry) {
    return entry.second.phase == phase;
  });
}

std::vector<RunningStage> HostedRun::Running() const {
  std::vector<RunningStage> running;
  for (const auto& [index, place] : stages_) {
    running.push_back({.job = plan_.job,
                       .generation = plan_.generation,
                       .stage = index,
                       .version = place.stage->Status().version});
  }
  return running;
}

std::vector<FlightRecord> HostedRun::Moves() const {
  std::vector<FlightRecord> records;
  for (const auto& [index, place] : stages_) {
    records.push_back({.job = plan_.job,
                       .generation = plan_.generation,
                       .stage = index,
                       .moves = place.stage->Moves()});
  }
  return records;
}

}  // namespace stagecoach

#include "worker/observers/stage_meter.h"

#include <algorithm>
#include <utility>

namespace stagecoach {
namespace {

const StageMethod& MethodOf(const ResolvedJob& job, StageIndex stage) {
  return job.stages[static_cast<size_t>(stage.value())];
}

}  // namespace

StageMeter::StageMeter(std::shared_ptr<const ResolvedJob> job, StageIndex stage,
                       WorkerName worker, const Clock& clock)
    : job_(std::move(job)),
      stage_(stage),
      worker_(std::move(worker)),
      clock_(clock),
      origin_(clock.Now()),
      since_(origin_),
      training_(*job_) {
  staleness_.after_fill = MethodOf(*job_, stage).window;
}

void StageMeter::Start() {
  const MutexLock lock(mutex_);
  origin_ = clock_.Now();
  since_ = origin_;
  spent_ = {};
}

void StageMeter::OnPassBegin(Pass pass, ItemId /*item*/) {
  const MutexLock lock(mutex_);
  const absl::Duration now = clock_.Now();
  TurnToLocked(pass == Pass::kData ? kData : kBusy, now);
  if (pass != Pass::kEvaluate && pass != Pass::kData) {
    training_.OnPassBegin(now);
  }
}

void StageMeter::OnPassEnd(Pass /*pass*/, ItemId /*item*/) {
  const MutexLock lock(mutex_);
  // What lies between two passes is the stage's own work.
  TurnToLocked(kBusy, clock_.Now());
}

void StageMeter::OnWait(WaitReason reason) {
  const MutexLock lock(mutex_);
  const Use use = reason == WaitReason::kInput      ? kInput
                  : reason == WaitReason::kGradient ? kGradient
                  : reason == WaitReason::kCredit   ? kCredit
                                                    : kBusy;
  TurnToLocked(use, clock_.Now());
}

void StageMeter::OnUpdate(const UpdateRecord& record) {
  const MutexLock lock(mutex_);
  const int64_t staleness = record.staleness;
  staleness_.minimum =
      version_ == 0 ? staleness : std::min(staleness_.minimum, staleness);
  staleness_.maximum = std::max(staleness_.maximum, staleness);
  staleness_.last = staleness;
  if (staleness != std::min(record.item.value(), staleness_.after_fill)) {
    ++staleness_.violations;
  }
  stored_inputs_peak_ = std::max(stored_inputs_peak_, record.stored_inputs);
  version_ = record.backward_version + 1;
  training_.OnUpdate(record, clock_.Now());
}

void StageMeter::OnEvaluation(const Evaluation& /*evaluation*/) {
  const MutexLock lock(mutex_);
  training_.OnEvaluation(clock_.Now());
}

void StageMeter::TurnToLocked(Use next, absl::Duration now) {
  spent_[use_] += now - since_;
  since_ = now;
  use_ = next;
}

absl::Duration StageMeter::SpentLocked(Use use, absl::Duration now) const {
  return spent_[use] + (use == use_ ? now - since_ : absl::ZeroDuration());
}

StageStatus StageMeter::Status() const {
  const MutexLock lock(mutex_);
  const absl::Duration now = clock_.Now();
  const absl::Duration total = now - origin_;
  const auto share = [&](Use use) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return total > absl::ZeroDuration()
               ? absl::FDivDuration(SpentLocked(use, now), total)
               : 0.0;
  };
  const UnitRange units =
      UnitsOfStage(job_->cuts, static_cast<int64_t>(job_->model.units.size()),
                   stage_.value());
  static constexpr const char* kWaits[kNumUses] = {"", "input", "gradient",
                                                   "credit", "data"};
  return {.stage = stage_,
          .worker = worker_,
          .first_unit = units.begin,
          .end_unit = units.end,
          .version = version_,
          .applied = version_,
          .staleness = staleness_,
          .stored_inputs_peak = stored_inputs_peak_,
          .seconds = absl::ToDoubleSeconds(total),
          .busy = share(kBusy),
          .waiting_input = share(kInput),
          .waiting_gradient = share(kGradient),
          .waiting_credit = share(kCredit),
          .waiting_data = share(kData),
          .waiting_for = kWaits[use_]};
}

TrainingFigures StageMeter::Training() const {
  if (stage_.value() != job_->num_stages() - 1) return {};
  const MutexLock lock(mutex_);
  return training_.Figures(clock_.Now());
}

}  // namespace stagecoach

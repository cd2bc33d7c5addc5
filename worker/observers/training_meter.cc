#include "worker/observers/training_meter.h"

namespace stagecoach {
namespace {

double Rate(int64_t samples, absl::Duration time) {
  const double seconds = absl::ToDoubleSeconds(time);
  return seconds > 0 ? static_cast<double>(samples) / seconds : 0;
}

double Mean(double sum, int64_t samples) {
  return samples > 0 ? sum / static_cast<double>(samples) : 0;
}

}  // namespace

TrainingMeter::TrainingMeter(const ResolvedJob& job)
    : job_(job), fill_(job.stages.front().window) {}

void TrainingMeter::OnPassBegin(absl::Duration now) {
  if (started_) return;
  started_ = true;
  begin_ = now;
}

void TrainingMeter::OnUpdate(const UpdateRecord& record, absl::Duration now) {
  const int64_t item = record.item.value();
  if (item % job_.steps_per_epoch == 0) {
    epoch_samples_ = 0;
    epoch_correct_ = 0;
    epoch_loss_ = 0;
  }
  samples_ += record.samples;
  epoch_samples_ += record.samples;
  epoch_correct_ += record.correct;
  epoch_loss_ += record.loss_sum;
  last_loss_ = Mean(record.loss_sum, record.samples);
  if (item == fill_) {
    steady_begin_ = steady_end_ = TrainedAt(now);
  } else if (item > fill_ && item < job_.steps - fill_) {
    steady_end_ = TrainedAt(now);
    steady_samples_ += record.samples;
  }
  if (job_.EvaluatesAt(item + 1)) {
    evaluating_ = true;
    evaluation_began_ = now;
  }
}

void TrainingMeter::OnEvaluation(absl::Duration now) {
  if (evaluating_) evaluated_ += now - evaluation_began_;
  evaluating_ = false;
}

absl::Duration TrainingMeter::TrainedAt(absl::Duration now) const {
  if (!started_) return absl::ZeroDuration();
  return (evaluating_ ? evaluation_began_ : now) - begin_ - evaluated_;
}

TrainingFigures TrainingMeter::Figures(absl::Duration now) const {
  TrainingFigures figures;
  figures.samples = samples_;
  figures.epoch_loss = Mean(epoch_loss_, epoch_samples_);
  figures.last_loss = last_loss_;
  figures.accuracy = Mean(static_cast<double>(epoch_correct_), epoch_samples_);
  figures.training_seconds = absl::ToDoubleSeconds(TrainedAt(now));
  figures.samples_per_second =
      steady_samples_ > 0 ? Rate(steady_samples_, steady_end_ - steady_begin_)
                          : Rate(samples_, TrainedAt(now));
  return figures;
}

}  // namespace stagecoach

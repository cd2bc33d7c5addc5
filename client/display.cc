#include "client/display.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/format.h"

namespace stagecoach {
namespace {

constexpr size_t kMostBarColumns = 34;
constexpr size_t kLeastBarColumns = 10;

std::string Coloured(absl::string_view text, JobState state, const Look& look) {
  if (!look.colours) return std::string(text);
  const char* colour = "36";  // cyan: on its way
  if (state == JobState::kSucceeded) colour = "32";
  if (state == JobState::kFailed || state == JobState::kCancelled) {
    colour = "31";
  }
  return absl::StrCat("\x1b[", colour, "m", text, "\x1b[0m");
}

std::string Units(const StageStatus& stage) {
  return absl::StrCat(stage.first_unit, "..", stage.end_unit - 1);
}

int64_t Epochs(const JobStatus& job) {
  return job.steps_per_epoch == 0 ? 0 : job.steps / job.steps_per_epoch;
}

// The epoch that is being trained, from 1.
int64_t Epoch(const JobStatus& job) {
  if (job.steps_per_epoch == 0) return 0;
  return std::min(Epochs(job), job.step / job.steps_per_epoch + 1);
}

double Share(const JobStatus& job) {
  if (job.steps == 0) return 0;
  return static_cast<double>(job.step) / static_cast<double>(job.steps);
}

std::string Bar(double share, size_t columns) {
  const auto full = static_cast<size_t>(share * static_cast<double>(columns));
  std::string bar(full, '#');
  bar.resize(columns, '-');
  return absl::StrCat("[", bar, "]");
}

absl::Duration Elapsed(const JobStatus& job, absl::Time now) {
  if (job.started == absl::InfinitePast()) return absl::ZeroDuration();
  return (IsFinal(job.state) ? job.finished : now) - job.started;
}

std::string LeftText(const JobStatus& job) {
  const absl::Duration left = TimeLeft(job);
  return left == absl::InfiniteDuration()
             ? ""
             : absl::StrCat("  ETA ", Minutes(left));
}

// What the stage waited for most, with its share; "-" when it hardly waited.
std::string WaitText(const StageStatus& stage) {
  const std::pair<double, const char*> waits[] = {
      {stage.waiting_input, "input"},
      {stage.waiting_gradient, "gradient"},
      {stage.waiting_credit, "credit"},
      {stage.waiting_data, "data"}};
  const auto& most = *std::max_element(std::begin(waits), std::end(waits));
  if (most.first < 0.005) return "-";
  return absl::StrCat(most.second, " ", Percent(most.first));
}

std::string Title(const JobStatus& job, absl::Time now, const Look& look) {
  const std::string state(NameOf(job.state));
  const std::string name = absl::StrCat(job.name, "  ", job.id.value(), "  ");
  const std::string time = Minutes(Elapsed(job, now));
  const size_t room =
      static_cast<size_t>(look.width) - time.size() - state.size() - 1;
  const std::string shown = name.size() > room ? Left(name, room) : name;
  const size_t gap = room + 1 - shown.size();
  return absl::StrCat(shown, Coloured(state, job.state, look),
                      std::string(gap, ' '), time);
}

// The bar has the columns that the figures leave.
std::string ProgressText(const JobStatus& job, size_t width) {
  const std::string figures = absl::StrFormat(
      " %4s  epoch %d/%d  step %d/%d%s", Percent(Share(job)), Epoch(job),
      Epochs(job), job.step, job.steps, LeftText(job));
  const size_t taken = figures.size() + 2;
  const size_t columns = std::clamp(taken < width ? width - taken : 0,
                                    kLeastBarColumns, kMostBarColumns);
  return absl::StrCat(Bar(Share(job), columns), figures);
}

std::string FiguresText(const JobStatus& job) {
  const TrainingFigures& training = job.training;
  return absl::StrFormat("loss %.4f  accuracy %s  %.1f images/s",
                         training.epoch_loss, Percent(training.accuracy, 2),
                         training.samples_per_second);
}

std::string Row(const StageStatus& stage) {
  return absl::StrJoin(
      {Right(absl::StrCat(stage.stage.value()), 5),
       Left(stage.worker.value(), 11), Left(Units(stage), 7),
       Right(absl::StrCat(stage.version), 7), Right(Percent(stage.busy), 5),
       Left(WaitText(stage), 13), StalenessText(stage.staleness)},
      " ");
}

std::string Header() {
  return "stage worker      units   version  busy waits for     staleness";
}

}  // namespace

absl::Duration TimeLeft(const JobStatus& job) {
  const TrainingFigures& training = job.training;
  if (job.step == 0 || training.training_seconds <= 0) {
    return absl::InfiniteDuration();
  }
  return absl::Seconds(training.training_seconds) *
         (static_cast<double>(job.steps - job.step) /
          static_cast<double>(job.step));
}

std::string StalenessText(const Staleness& staleness) {
  if (staleness.violations > 0) {
    return absl::StrFormat("BROKEN %d times: %d..%d, not %d",
                           staleness.violations, staleness.minimum,
                           staleness.maximum, staleness.after_fill);
  }
  if (staleness.maximum == 0 && staleness.after_fill == 0) return "0";
  return absl::StrFormat("%d..%d, exactly %d after fill", staleness.minimum,
                         staleness.maximum, staleness.after_fill);
}

std::vector<std::string> StatusBlock(const JobStatus& job, absl::Time now,
                                     const Look& look) {
  const auto width = static_cast<size_t>(look.width);
  std::vector<std::string> lines = {Title(job, now, look)};
  if (!job.reason.empty()) {
    for (std::string& line : Wrapped(job.reason, width)) {
      lines.push_back(std::move(line));
    }
  }
  if (job.steps > 0) {
    lines.push_back(ProgressText(job, width));
    lines.push_back(FiguresText(job));
  }
  if (!job.stages.empty()) lines.push_back(Header());
  for (const StageStatus& stage : job.stages) lines.push_back(Row(stage));
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() > width) lines[i] = Left(lines[i], width);
  }
  return lines;
}

std::string StatusLine(const JobStatus& job, absl::Time now) {
  if (job.step == 0) {
    return absl::StrCat(
        job.id.value(), " ", std::string(NameOf(job.state)),
        job.reason.empty() ? "" : absl::StrCat(": ", job.reason));
  }
  std::vector<std::string> stages;
  for (const StageStatus& stage : job.stages) {
    stages.push_back(absl::StrFormat("%d busy %s staleness %d",
                                     stage.stage.value(), Percent(stage.busy),
                                     stage.staleness.last));
  }
  return absl::StrFormat("%s %s %s  epoch %d/%d  step %d/%d  %s  stages: %s",
                         job.id.value(), Minutes(Elapsed(job, now)),
                         std::string(NameOf(job.state)), Epoch(job),
                         Epochs(job), job.step, job.steps, FiguresText(job),
                         absl::StrJoin(stages, ", "));
}

std::vector<std::string> Summary(const JobStatus& job, const Look& look) {
  std::vector<std::string> lines;
  lines.push_back(
      absl::StrFormat("%s %s after %.1f s, %.1f images/s", job.id.value(),
                      Coloured(NameOf(job.state), job.state, look),
                      absl::ToDoubleSeconds(Elapsed(job, job.finished)),
                      job.training.samples_per_second));
  if (job.cause.has_value() && job.state != JobState::kSucceeded) {
    lines.push_back(
        absl::StrCat("cause: ", job.cause->kind, ": ", job.cause->text));
  }
  if (job.last_evaluation.has_value()) {
    lines.push_back(absl::StrFormat(
        "test accuracy %s, test loss %.4f at step %d",
        Percent(job.last_evaluation->accuracy, 2), job.last_evaluation->loss,
        job.last_evaluation->version));
  }
  for (const StageStatus& stage : job.stages) {
    lines.push_back(
        absl::StrFormat("stage %d on %s: units %s, staleness %s, busy %s",
                        stage.stage.value(), stage.worker.value(), Units(stage),
                        StalenessText(stage.staleness), Percent(stage.busy)));
  }
  if (job.recoveries > 0) {
    lines.push_back(absl::StrCat("recoveries ", job.recoveries));
  }
  if (!job.weights_digest.empty()) {
    lines.push_back(absl::StrCat("weights_digest ", job.weights_digest));
  }
  return lines;
}

}  // namespace stagecoach

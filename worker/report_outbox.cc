#include "worker/report_outbox.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace stagecoach {

void ReportOutbox::Add(Report report) {
  if (ReplaceProgress(report)) return;
  if (const auto* line = std::get_if<LogLine>(&report)) {
    DropOldest<LogLine>(line->job, kMaxLogLines);
  }
  if (const auto* cut = std::get_if<CutEvaluated>(&report)) {
    DropOldest<CutEvaluated>(cut->job, kMaxEvaluations);
  }
  waiting_.push_back(std::move(report));
}

bool ReportOutbox::ReplaceProgress(const Report& report) {
  const auto* progress = std::get_if<StageProgressed>(&report);
  if (progress == nullptr) return false;
  for (Report& waiting : waiting_) {
    auto* older = std::get_if<StageProgressed>(&waiting);
    if (older != nullptr && older->job == progress->job &&
        older->status.stage == progress->status.stage) {
      *older = *progress;
      return true;
    }
  }
  return false;
}

template <typename Kind>
void ReportOutbox::DropOldest(const JobId& job, size_t limit) {
  const auto is_one = [&job](const Report& report) {
    const auto* one = std::get_if<Kind>(&report);
    return one != nullptr && one->job == job;
  };
  const auto count = std::count_if(waiting_.begin(), waiting_.end(), is_one);
  if (static_cast<size_t>(count) < limit) return;
  waiting_.erase(std::find_if(waiting_.begin(), waiting_.end(), is_one));
}

std::optional<SerialReport> ReportOutbox::Next() {
  if (resend_ < sent_.size()) return sent_[resend_++];
  if (waiting_.empty() || sent_.size() >= kMaxUnacknowledged) {
    return std::nullopt;
  }
  sent_.push_back({next_serial_++, std::move(waiting_.front())});
  waiting_.pop_front();
  return sent_[resend_++];
}

void ReportOutbox::Acknowledge(int64_t serial) {
  while (!sent_.empty() && sent_.front().serial <= serial) {
    sent_.pop_front();
    if (resend_ > 0) --resend_;
  }
}

}  // namespace stagecoach

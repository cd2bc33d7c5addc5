#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "core/base/ids.h"
#include "core/session/report.h"

namespace stagecoach {

// A report with its serial, which counts from 1 over the worker's life; the
// receiver drops those that it has.
struct SerialReport {
  int64_t serial = 0;
  Report report;
};

// Reports between the worker and an acknowledgement of the coordinator, in
// order. Bounded however long the coordinator is away: progress is replaced by
// newer progress, and of log lines and evaluations the oldest are dropped. The
// other kinds come a few times in a job's life.
//
// Thread-confined: whoever runs the session.
class ReportOutbox {
 public:
  static constexpr size_t kMaxLogLines = 200;     // of a job
  static constexpr size_t kMaxEvaluations = 500;  // of a job
  static constexpr size_t kMaxUnacknowledged = 64;

  void Add(Report report);

  // The next report to send, which then waits for its acknowledgement. None
  // when all were sent, or too many are unacknowledged.
  std::optional<SerialReport> Next();

  // The coordinator has kept everything up to this serial.
  void Acknowledge(int64_t serial);

  // The session is lost: what was not acknowledged is sent again, under the
  // same serials.
  void Rewind() { resend_ = 0; }

  size_t size() const { return sent_.size() + waiting_.size(); }

 private:
  bool ReplaceProgress(const Report& report);
  template <typename Kind>
  void DropOldest(const JobId& job, size_t limit);

  int64_t next_serial_ = 1;
  std::deque<SerialReport> sent_;  // not acknowledged
  size_t resend_ = 0;              // sent_ from here on is to be sent (again)
  std::deque<Report> waiting_;     // never sent
};

}  // namespace stagecoach

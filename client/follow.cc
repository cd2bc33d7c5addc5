#include "client/follow.h"

#include <optional>

namespace stagecoach {
namespace {

constexpr absl::Duration kPause = absl::Milliseconds(500);
constexpr int kMaxTries = 60;  // without a word in between

// Remembers where the next connection goes on.
class Bookmark final : public JobObserver {
 public:
  explicit Bookmark(JobView& view) : view_(view) {}

  void OnEvent(const JobEvent& event) override {
    tries_ = 0;
    sequence_ = event.sequence;
    view_.OnEvent(event);
  }

  void OnStatus(const JobStatus& status) override {
    tries_ = 0;
    last_ = status;
    view_.OnStatus(status);
  }

  // Whether it is worth connecting again.
  bool TryAgain() { return ++tries_ <= kMaxTries; }

  int64_t sequence() const { return sequence_; }
  const std::optional<JobStatus>& last() const { return last_; }

 private:
  JobView& view_;
  int tries_ = 0;
  int64_t sequence_ = 0;
  std::optional<JobStatus> last_;
};

bool HasEnded(const Bookmark& bookmark) {
  return bookmark.last().has_value() && IsFinal(bookmark.last()->state);
}

}  // namespace

absl::StatusOr<JobStatus> Follow(JobClient& client, const JobId& job,
                                 JobView& view, Interrupt& interrupt) {
  Bookmark bookmark(view);
  while (true) {
    const absl::Status status =
        client.Watch(job, bookmark.sequence(), bookmark, interrupt);
    if (status.ok() && HasEnded(bookmark)) break;
    if (interrupt.triggered()) return absl::CancelledError("interrupted");
    // A coordinator that stops cancels the calls that are left.
    const bool lost =
        status.ok() || absl::IsUnavailable(status) || absl::IsCancelled(status);
    if (!lost || !bookmark.TryAgain()) return status;
    if (interrupt.WaitFor(kPause)) return absl::CancelledError("interrupted");
  }
  view.OnEnd(*bookmark.last());
  return *bookmark.last();
}

}  // namespace stagecoach

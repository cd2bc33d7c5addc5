#include "client/job_view.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "client/display.h"
#include "core/job/value.h"

namespace stagecoach {
namespace {

constexpr absl::Duration kLineInterval = absl::Seconds(2);

// Events that people want to see pass by; the rest is for `describe`.
bool IsShown(const JobEvent& event) {
  return event.kind != "moves" && event.kind != "log";
}

Look LookOf(const Console& console) {
  return {.width = console.width, .colours = console.colours};
}

class TerminalJobView final : public JobView {
 public:
  TerminalJobView(Console& console, std::ostream& out, const Clock& clock)
      : console_(console), screen_(out), clock_(clock) {}

  void OnEvent(const JobEvent& event) override {
    if (IsShown(event)) screen_.Print(event.text);
  }

  void OnStatus(const JobStatus& status) override {
    screen_.Redraw(StatusBlock(status, clock_.WallNow(), LookOf(console_)));
  }

  void OnEnd(const JobStatus& status) override {
    screen_.Redraw({});
    for (const std::string& line : Summary(status, LookOf(console_))) {
      screen_.Print(line);
    }
  }

 private:
  Console& console_;
  Screen screen_;
  const Clock& clock_;
};

class LineJobView final : public JobView {
 public:
  LineJobView(Console& console, std::ostream& out, const Clock& clock)
      : console_(console), out_(out), clock_(clock) {}

  void OnEvent(const JobEvent& event) override {
    if (IsShown(event)) Print(event.text);
  }

  void OnStatus(const JobStatus& status) override {
    if (clock_.Now() < next_line_ || IsFinal(status.state)) return;
    next_line_ = clock_.Now() + kLineInterval;
    Print(StatusLine(status, clock_.WallNow()));
  }

  void OnEnd(const JobStatus& status) override {
    for (const std::string& line : Summary(status, LookOf(console_))) {
      Print(line);
    }
  }

 private:
  void Print(const std::string& line) { out_ << line << std::endl; }

  Console& console_;
  std::ostream& out_;
  const Clock& clock_;
  absl::Duration next_line_ = -absl::InfiniteDuration();
};

class JsonJobView final : public JobView {
 public:
  explicit JsonJobView(std::ostream& out) : out_(out) {}

  void OnEvent(const JobEvent& event) override {
    Print({{"event",
            {{"sequence", event.sequence},
             {"time", absl::FormatTime(absl::RFC3339_sec, event.time,
                                       absl::UTCTimeZone())},
             {"kind", event.kind},
             {"text", event.text}}}});
  }

  void OnStatus(const JobStatus& status) override {
    Print({{"status", ResultValue(status)}});
  }

  void OnEnd(const JobStatus&) override {}

 private:
  void Print(const Value& value) { out_ << value.dump() << std::endl; }

  std::ostream& out_;
};

}  // namespace

std::unique_ptr<JobView> TerminalView(Console& console, std::ostream& out,
                                      const Clock& clock) {
  return std::make_unique<TerminalJobView>(console, out, clock);
}

std::unique_ptr<JobView> LineView(Console& console, std::ostream& out,
                                  const Clock& clock) {
  return std::make_unique<LineJobView>(console, out, clock);
}

std::unique_ptr<JobView> JsonView(std::ostream& out) {
  return std::make_unique<JsonJobView>(out);
}

}  // namespace stagecoach

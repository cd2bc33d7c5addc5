#include "worker/report_outbox.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

StageProgressed Progress(int stage, int64_t version) {
  return {.job = JobId("job-1"),
          .generation = Generation(1),
          .status = {.stage = StageIndex(stage), .version = version}};
}

LogLine Line(const std::string& text) { return {JobId("job-1"), text}; }

// "serial:what" of everything that the outbox gives out now.
std::vector<std::string> Drain(ReportOutbox& outbox) {
  std::vector<std::string> all;
  while (const std::optional<SerialReport> next = outbox.Next()) {
    std::string what = "other";
    if (const auto* line = std::get_if<LogLine>(&next->report)) {
      what = line->text;
    }
    if (const auto* at = std::get_if<StageProgressed>(&next->report)) {
      what = absl::StrCat("stage ", at->status.stage.value(), " at ",
                          at->status.version);
    }
    all.push_back(absl::StrCat(next->serial, ":", what));
  }
  return all;
}

TEST(ReportOutboxTest, GivesReportsInOrderWithRisingSerials) {
  ReportOutbox outbox;
  outbox.Add(Line("a"));
  outbox.Add(Line("b"));

  EXPECT_THAT(Drain(outbox), ElementsAre("1:a", "2:b"));
  EXPECT_THAT(Drain(outbox), IsEmpty());
}

TEST(ReportOutboxTest, SendsAgainAfterALossWhatWasNotAcknowledged) {
  ReportOutbox outbox;
  outbox.Add(Line("a"));
  outbox.Add(Line("b"));
  outbox.Add(Line("c"));
  Drain(outbox);
  outbox.Acknowledge(2);

  outbox.Rewind();
  outbox.Add(Line("d"));

  EXPECT_THAT(Drain(outbox), ElementsAre("3:c", "4:d"));
  outbox.Acknowledge(4);
  EXPECT_EQ(outbox.size(), 0u);
}

TEST(ReportOutboxTest, IgnoresAnAcknowledgementThatComesTwice) {
  ReportOutbox outbox;
  outbox.Add(Line("a"));
  outbox.Add(Line("b"));
  Drain(outbox);
  outbox.Acknowledge(1);
  outbox.Acknowledge(1);

  outbox.Rewind();

  EXPECT_THAT(Drain(outbox), ElementsAre("2:b"));
}

TEST(ReportOutboxTest, KeepsOnlyTheNewestProgressOfAStageThatWaits) {
  ReportOutbox outbox;
  outbox.Add(Progress(0, 10));
  outbox.Add(Progress(1, 10));
  outbox.Add(Progress(0, 20));

  EXPECT_THAT(Drain(outbox), ElementsAre("1:stage 0 at 20", "2:stage 1 at 10"));
}

TEST(ReportOutboxTest, NeverChangesAReportThatWasSent) {
  ReportOutbox outbox;
  outbox.Add(Progress(0, 10));
  Drain(outbox);
  outbox.Add(Progress(0, 20));

  outbox.Rewind();

  EXPECT_THAT(Drain(outbox), ElementsAre("1:stage 0 at 10", "2:stage 0 at 20"));
}

TEST(ReportOutboxTest, DropsTheOldestLogLinesBeyondTheBound) {
  ReportOutbox outbox;
  for (size_t i = 0; i < ReportOutbox::kMaxLogLines + 2; ++i) {
    outbox.Add(Line(absl::StrCat(i)));
  }

  EXPECT_EQ(outbox.size(), ReportOutbox::kMaxLogLines);
  EXPECT_EQ(std::get<LogLine>(outbox.Next()->report).text, "2");
}

TEST(ReportOutboxTest, BoundsLogLinesJobByJob) {
  ReportOutbox outbox;
  outbox.Add(LogLine{JobId("job-2"), "of another job"});
  for (size_t i = 0; i < ReportOutbox::kMaxLogLines + 1; ++i)
    outbox.Add(Line("x"));

  EXPECT_EQ(outbox.size(), ReportOutbox::kMaxLogLines + 1);
  EXPECT_EQ(std::get<LogLine>(outbox.Next()->report).text, "of another job");
}

TEST(ReportOutboxTest, WaitsWhileTooManyAreUnacknowledged) {
  ReportOutbox outbox;
  for (size_t i = 0; i < ReportOutbox::kMaxUnacknowledged + 1; ++i) {
    outbox.Add(Line(absl::StrCat(i)));
  }
  ASSERT_EQ(Drain(outbox).size(), ReportOutbox::kMaxUnacknowledged);

  outbox.Acknowledge(1);

  EXPECT_THAT(Drain(outbox),
              ElementsAre(absl::StrCat(ReportOutbox::kMaxUnacknowledged + 1,
                                       ":", ReportOutbox::kMaxUnacknowledged)));
}

}  // namespace
}  // namespace stagecoach

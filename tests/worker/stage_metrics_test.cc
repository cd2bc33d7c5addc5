#include "worker/stage_metrics.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/support/tiny_job.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StageMetricsTest : public testing::Test {
 protected:
  StageMetricsTest() {
    const JobSpec spec = TinySpec("/data", /*stages=*/2, /*epochs=*/1);
    stage_ = {.job = std::make_shared<const ResolvedJob>(
                  ResolveJob(ResolveSpec(spec).value(), TinyFacts()).value()),
              .id = JobId("job-1"),
              .generation = Generation(1),
              .stage = StageIndex(0)};
    watch_ = std::make_unique<StageMetrics>(stage_, WorkerName("a"), metrics_,
                                            clock_);
  }

  int64_t window() const { return stage_.job->ScheduleOf(0).window; }

  // One item with a forward pass of 20 ms.
  void Train(int64_t item, int64_t staleness) {
    watch_->OnPassBegin(Pass::kForward, ItemId(item));
    clock_.Advance(absl::Milliseconds(20));
    watch_->OnPassEnd(Pass::kForward, ItemId(item));
    watch_->OnUpdate({.item = ItemId(item),
                      .backward_version = item,
                      .staleness = staleness,
                      .stored_inputs = 3,
                      .samples = 8});
  }

  // The line of one series of this stage, without its labels.
  static testing::Matcher<const std::string&> Shows(const std::string& name,
                                                    const std::string& value) {
    return HasSubstr(name + "{job=\"job-1\",stage=\"0\",worker=\"a\"} " +
                     value + "\n");
  }

  FakeClock clock_;
  Metrics metrics_;
  StageOptions stage_;
  std::unique_ptr<StageMetrics> watch_;
};

TEST_F(StageMetricsTest, CountItemsSamplesAndUpdates) {
  Train(0, 0);
  Train(1, 1);

  EXPECT_THAT(metrics_.Scrape(),
              AllOf(Shows("stagecoach_stage_items_total", "2"),
                    Shows("stagecoach_stage_samples_total", "16"),
                    Shows("stagecoach_stage_updates_total", "2"),
                    Shows("stagecoach_stage_version", "2"),
                    Shows("stagecoach_stage_stored_inputs", "3"),
                    Shows("stagecoach_stage_staleness_updates", "1")));
}

TEST_F(StageMetricsTest, CountUpdatesThatBreakThePromiseOfStaleness) {
  for (int64_t item = 0; item <= window(); ++item) Train(item, item);
  EXPECT_THAT(
      metrics_.Scrape(),
      Shows("stagecoach_stage_staleness_contract_violations_total", "0"));

  Train(window() + 1, window() + 1);

  EXPECT_THAT(
      metrics_.Scrape(),
      Shows("stagecoach_stage_staleness_contract_violations_total", "1"));
}

TEST_F(StageMetricsTest, MeasureEachPass) {
  Train(0, 0);

  EXPECT_THAT(
      metrics_.Scrape(),
      AllOf(HasSubstr("stagecoach_stage_pass_seconds_count{job=\"job-1\",pass="
                      "\"forward\",stage=\"0\",worker=\"a\"} 1\n"),
            HasSubstr("pass=\"forward\",stage=\"0\",worker=\"a\",le=\"0.03\"} "
                      "1\n"),
            HasSubstr("pass=\"forward\",stage=\"0\",worker=\"a\",le=\"0.01\"} "
                      "0\n")));
}

TEST_F(StageMetricsTest, TurnSharesOfTimeAndTrafficIntoTotals) {
  watch_->Show({.seconds = 10, .busy = 0.5, .waiting_input = 0.25}, {},
               {.bytes_sent = 100, .frames_sent = 2});
  watch_->Show({.seconds = 20, .busy = 0.5, .waiting_input = 0.25}, {},
               {.bytes_sent = 300, .frames_sent = 6});

  EXPECT_THAT(
      metrics_.Scrape(),
      AllOf(Shows("stagecoach_stage_busy_seconds_total", "10"),
            Shows("stagecoach_link_frames_total", "6"),
            HasSubstr("stagecoach_stage_wait_seconds_total{job=\"job-1\","
                      "reason=\"input\",stage=\"0\",worker=\"a\"} 5\n"),
            HasSubstr("stagecoach_link_bytes_total{direction="
                      "\"activations_out\",job=\"job-1\",stage=\"0\","
                      "worker=\"a\"} 300\n")));
}

TEST_F(StageMetricsTest, GoWithTheStage) {
  Train(0, 0);

  watch_.reset();
  metrics_.Scrape();  // its last

  EXPECT_THAT(metrics_.Scrape(), Not(HasSubstr("job-1")));
}

}  // namespace
}  // namespace stagecoach

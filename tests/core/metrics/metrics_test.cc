#include "core/metrics/metrics.h"

#include "core/metrics/series_book.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(MetricsTest, ExposesValuesWithHelpTypeAndLabels) {
  Metrics metrics;
  Counter items = metrics.AddCounter("stage_items_total", "Items applied",
                                     {{"job", "job-1"}, {"stage", "0"}});
  Gauge loss = metrics.AddGauge("job_loss", "Training loss", {});

  items.Add();
  items.Add(2);
  loss.Set(0.5);

  const std::string text = metrics.Scrape();
  EXPECT_THAT(text, HasSubstr("# HELP stagecoach_stage_items_total Items"));
  EXPECT_THAT(text, HasSubstr("# TYPE stagecoach_stage_items_total counter"));
  EXPECT_THAT(text, HasSubstr("stagecoach_stage_items_total{job=\"job-1\","
                              "stage=\"0\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("stagecoach_job_loss 0.5\n"));
}

TEST(MetricsTest, CountsIntoTheBucketsOfAHistogram) {
  Metrics metrics;
  Histogram seconds =
      metrics.AddHistogram("stage_pass_seconds", "Time of a pass",
                           {{"pass", "forward"}}, {0.001, 0.01});

  seconds.Observe(0.0005);
  seconds.Observe(0.005);

  EXPECT_THAT(metrics.Scrape(),
              HasSubstr("stagecoach_stage_pass_seconds_bucket{pass=\"forward\","
                        "le=\"0.001\"} 1\n"));
}

TEST(MetricsTest, RemovesASeriesAfterOneMoreScrape) {
  Metrics metrics;
  {
    Gauge step = metrics.AddGauge("job_step", "Step", {{"job", "job-1"}});
    step.Set(7);
  }

  EXPECT_THAT(metrics.Scrape(), HasSubstr("job_step{job=\"job-1\"} 7"));
  EXPECT_THAT(metrics.Scrape(), Not(HasSubstr("job-1")));
}

TEST(MetricsTest, GoesOnCountingWhereAReleasedSeriesIsAskedForAgain) {
  Metrics metrics;
  metrics.AddCounter("stage_items_total", "Items", {{"stage", "0"}}).Add(5);

  Counter again =
      metrics.AddCounter("stage_items_total", "Items", {{"stage", "0"}});
  again.Add();
  metrics.Scrape();

  EXPECT_THAT(metrics.Scrape(), HasSubstr("{stage=\"0\"} 6\n"));
}

TEST(MetricsTest, KeepsASeriesWhileAnyoneHoldsIt) {
  Metrics metrics;
  Gauge first = metrics.AddGauge("job_step", "Step", {});
  {
    Gauge second = metrics.AddGauge("job_step", "Step", {});
    second.Set(3);
  }
  metrics.Scrape();

  EXPECT_THAT(metrics.Scrape(), HasSubstr("stagecoach_job_step 3\n"));
}

TEST(MetricsTest, BoundsWhatNobodyScrapes) {
  Metrics metrics;
  for (size_t job = 0; job < SeriesBook::kMaxReleased + 10; ++job) {
    metrics.AddGauge("job_step", "Step", {{"job", std::to_string(job)}});
  }

  const std::string text = metrics.Scrape();
  EXPECT_THAT(text, Not(HasSubstr("{job=\"9\"}")));
  EXPECT_THAT(text, HasSubstr("{job=\"10\"}"));
}

TEST(MetricsTest, LetsHandlesMoveAndOutliveIt) {
  Gauge kept;
  {
    Metrics metrics;
    Gauge made = metrics.AddGauge("job_step", "Step", {});
    kept = std::move(made);
    made.Set(1);
    kept.Set(2);
    EXPECT_THAT(metrics.Scrape(), HasSubstr("stagecoach_job_step 2\n"));
  }
  kept.Set(3);
}

TEST(MetricsDeathTest, EndsTheProcessForANameOutsideTheRules) {
  Metrics metrics;
  EXPECT_DEATH(metrics.AddCounter("stage_items", "Items"), "_total");
}

}  // namespace
}  // namespace stagecoach

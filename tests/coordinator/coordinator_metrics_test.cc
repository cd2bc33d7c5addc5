#include "coordinator/coordinator_metrics.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CoordinatorMetricsTest : public testing::Test {
 protected:
  CoordinatorMetricsTest() {
    job_.id = JobId("job-1");
    job_.state = JobState::kRunning;
  }

  Metrics metrics_;
  CoordinatorMetrics shown_{metrics_};
  JobStatus job_;
};

TEST_F(CoordinatorMetricsTest, HaveEverySeriesOfTheClusterFromTheStart) {
  const std::string text = metrics_.Scrape();

  for (const char* state : {"queued", "starting", "running", "recovering",
                            "succeeded", "failed", "cancelled"}) {
    EXPECT_THAT(text, HasSubstr(std::string("stagecoach_coordinator_jobs{"
                                            "state=\"") +
                                state + "\"} 0\n"));
  }
  for (const char* state : {"idle", "busy", "lost"}) {
    EXPECT_THAT(text, HasSubstr(std::string("stagecoach_coordinator_workers{"
                                            "state=\"") +
                                state + "\"} 0\n"));
  }
  EXPECT_THAT(
      text, AllOf(HasSubstr("stagecoach_coordinator_lease_expirations_total 0"),
                  HasSubstr("stagecoach_coordinator_recoveries_total 0"),
                  HasSubstr("stagecoach_coordinator_recovery_seconds_count 0"),
                  Not(HasSubstr("job="))));
}

TEST_F(CoordinatorMetricsTest, ShowWhereAJobStands) {
  job_.step = 25;
  job_.steps_per_epoch = 10;
  job_.training = {.samples = 250, .epoch_loss = 0.5};
  job_.last_evaluation = {.accuracy = 0.75};

  shown_.ShowJob(job_);

  const std::string text = metrics_.Scrape();
  EXPECT_THAT(text, AllOf(HasSubstr("stagecoach_job_step{job=\"job-1\"} 25\n"),
                          HasSubstr("stagecoach_job_epoch{job=\"job-1\"} 2.5"),
                          HasSubstr("stagecoach_job_loss{job=\"job-1\"} 0.5"),
                          HasSubstr("job_accuracy{job=\"job-1\"} 0.75")));
}

TEST_F(CoordinatorMetricsTest, ShowNoLossBeforeThereIsOne) {
  shown_.ShowJob(job_);

  EXPECT_THAT(metrics_.Scrape(), AllOf(HasSubstr("job_step{job=\"job-1\"} 0"),
                                       Not(HasSubstr("job_loss{")),
                                       Not(HasSubstr("job_accuracy{"))));
}

TEST_F(CoordinatorMetricsTest, ForgetAJobOneScrapeAfterItsEnd) {
  shown_.ShowJob(job_);
  job_.state = JobState::kSucceeded;
  shown_.ShowJob(job_);

  EXPECT_THAT(metrics_.Scrape(), HasSubstr("job-1"));
  EXPECT_THAT(metrics_.Scrape(), Not(HasSubstr("job-1")));
}

TEST_F(CoordinatorMetricsTest, CountLossesAndTheTimeToRecover) {
  shown_.CountLeaseExpiration();
  shown_.CountRecovery();
  shown_.ObserveRecovery(absl::Seconds(4));

  EXPECT_THAT(
      metrics_.Scrape(),
      AllOf(HasSubstr("coordinator_lease_expirations_total 1\n"),
            HasSubstr("coordinator_recoveries_total 1\n"),
            HasSubstr("coordinator_recovery_seconds_sum 4\n"),
            HasSubstr("coordinator_recovery_seconds_bucket{le=\"2\"} 0\n"),
            HasSubstr("coordinator_recovery_seconds_bucket{le=\"5\"} 1\n")));
}

}  // namespace
}  // namespace stagecoach

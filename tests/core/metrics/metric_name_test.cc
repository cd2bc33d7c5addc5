#include "core/metrics/metric_name.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

TEST(MetricNameTest, AcceptsTheNamesOfTheProduct) {
  EXPECT_EQ(NameFault("stage_items_total", true, {{"job", "job-1"}}), "");
  EXPECT_EQ(NameFault("stage_pass_seconds", false, {{"pass", "forward"}}), "");
  EXPECT_EQ(NameFault("build_info", false, {{"version", "0.1.0"}}), "");
}

TEST(MetricNameTest, RefusesOtherLetters) {
  EXPECT_THAT(NameFault("StageItems_total", true, {}), HasSubstr("lower case"));
  EXPECT_THAT(NameFault("stage-items_total", true, {}), HasSubstr("lower"));
  EXPECT_THAT(NameFault("", false, {}), HasSubstr("lower case"));
}

TEST(MetricNameTest, TellsCountersByTheirEnding) {
  EXPECT_THAT(NameFault("stage_items", true, {}), HasSubstr("_total"));
  EXPECT_THAT(NameFault("stage_version_total", false, {}), HasSubstr("_total"));
}

TEST(MetricNameTest, RefusesLabelsThatDashboardsDoNotKnow) {
  EXPECT_THAT(NameFault("job_loss", false, {{"user", "me"}}),
              HasSubstr("label \"user\""));
}

TEST(MetricNameTest, RefusesTheDoubledPrefix) {
  EXPECT_THAT(NameFault("stagecoach_job_loss", false, {}),
              HasSubstr("repeats the prefix"));
}

}  // namespace
}  // namespace stagecoach

#include "client/restart_policy.h"

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(RestartPolicyTest, WaitsLongerAfterEachEarlyDeath) {
  RestartPolicy policy;

  EXPECT_EQ(policy.AfterLifeOf(absl::Seconds(1)), absl::Milliseconds(100));
  EXPECT_EQ(policy.AfterLifeOf(absl::Seconds(1)), absl::Milliseconds(200));
  EXPECT_EQ(policy.AfterLifeOf(absl::Seconds(1)), absl::Milliseconds(400));
}

TEST(RestartPolicyTest, ForgivesEarlyDeathsAfterALongLife) {
  RestartPolicy policy;
  policy.AfterLifeOf(absl::Seconds(1));
  policy.AfterLifeOf(absl::Seconds(1));

  EXPECT_EQ(policy.AfterLifeOf(absl::Minutes(5)), absl::Milliseconds(100));
}

TEST(RestartPolicyTest, GivesUpOnWhatKeepsDyingYoung) {
  RestartPolicy policy;
  for (int i = 0; i < RestartPolicy::kMaxYoungDeaths; ++i) {
    ASSERT_TRUE(policy.AfterLifeOf(absl::ZeroDuration()).has_value());
  }

  EXPECT_EQ(policy.AfterLifeOf(absl::ZeroDuration()), std::nullopt);
}

}  // namespace
}  // namespace stagecoach

#include "coordinator/flags.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CoordinatorFlagsTest, HaveDefaultsThatWorkOnOneMachine) {
  setenv("XDG_STATE_HOME", "/xdg", /*overwrite=*/1);
  SC_ASSERT_OK_AND_ASSIGN(const ParsedCoordinatorFlags parsed,
                          ParseCoordinatorFlags({}, "1.0"));
  unsetenv("XDG_STATE_HOME");

  EXPECT_FALSE(parsed.exit_code.has_value());
  EXPECT_EQ(parsed.flags.listen, "127.0.0.1");
  EXPECT_EQ(parsed.flags.port, 7070);
  EXPECT_EQ(parsed.flags.metrics_port, 9070);
  EXPECT_EQ(parsed.flags.lease_seconds, 10);
  EXPECT_EQ(parsed.flags.state, "/xdg/stagecoach/coordinator");
}

TEST(CoordinatorFlagsTest, KeepStateInTheUsersHomeWhereNothingElseIsSaid) {
  setenv("HOME", "/home/somebody", /*overwrite=*/1);
  SC_ASSERT_OK_AND_ASSIGN(const ParsedCoordinatorFlags parsed,
                          ParseCoordinatorFlags({}, "1.0"));

  EXPECT_EQ(parsed.flags.state,
            "/home/somebody/.local/state/stagecoach/coordinator");
}

TEST(CoordinatorFlagsTest, AreAllTaken) {
  SC_ASSERT_OK_AND_ASSIGN(
      const ParsedCoordinatorFlags parsed,
      ParseCoordinatorFlags(
          {"--listen=0.0.0.0", "--port=0", "--metrics-port=1",
           "--port-file=/file", "--state=/state", "--lease-seconds=3",
           "--grace-seconds=4", "--drain-seconds=5", "--log-level=debug",
           "--watch-parent-fd=6"},
          "1.0"));

  EXPECT_EQ(parsed.flags.listen, "0.0.0.0");
  EXPECT_EQ(parsed.flags.port, 0);
  EXPECT_EQ(parsed.flags.metrics_port, 1);
  EXPECT_EQ(parsed.flags.port_file, "/file");
  EXPECT_EQ(parsed.flags.state, "/state");
  EXPECT_EQ(parsed.flags.lease_seconds, 3);
  EXPECT_EQ(parsed.flags.grace_seconds, 4);
  EXPECT_EQ(parsed.flags.drain_seconds, 5);
  EXPECT_EQ(parsed.flags.log_level, "debug");
  EXPECT_EQ(parsed.flags.watch_parent_fd, 6);
}

TEST(CoordinatorFlagsTest, RefuseALeaseThatIsShorterThanTwoRenewals) {
  EXPECT_THAT(ParseCoordinatorFlags({"--lease-seconds=1"}, "1.0"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--lease-seconds"), HasSubstr("2"))));
}

TEST(CoordinatorFlagsTest, SuggestTheFlagThatWasMeant) {
  EXPECT_THAT(ParseCoordinatorFlags({"--stats=/x"}, "1.0"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there is no flag --stats; did you mean '--state'?"));
}

}  // namespace
}  // namespace stagecoach

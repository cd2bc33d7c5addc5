#include "worker/flags.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(WorkerFlagsTest, HaveDefaultsThatWorkOnOneMachine) {
  SC_ASSERT_OK_AND_ASSIGN(const ParsedWorkerFlags parsed,
                          ParseWorkerFlags({}, "1.0"));

  EXPECT_FALSE(parsed.exit_code.has_value());
  EXPECT_EQ(parsed.flags.coordinator, "127.0.0.1:7070");
  EXPECT_EQ(parsed.flags.port, 7071);
  EXPECT_EQ(parsed.flags.metrics_port, 9071);
  EXPECT_EQ(parsed.flags.slots, 1);
  EXPECT_FALSE(parsed.flags.name.empty());
  EXPECT_TRUE(parsed.flags.on_loopback());
}

TEST(WorkerFlagsTest, ComeFromTheCommandLineAndElseFromTheEnvironment) {
  setenv("STAGECOACH_METRICS_PORT", "9999", /*overwrite=*/1);
  setenv("STAGECOACH_SLOTS", "7", /*overwrite=*/1);

  SC_ASSERT_OK_AND_ASSIGN(const ParsedWorkerFlags parsed,
                          ParseWorkerFlags({"--slots=2"}, "1.0"));
  unsetenv("STAGECOACH_METRICS_PORT");
  unsetenv("STAGECOACH_SLOTS");

  EXPECT_EQ(parsed.flags.metrics_port, 9999);
  EXPECT_EQ(parsed.flags.slots, 2);
}

TEST(WorkerFlagsTest, ReadSizesInUnits) {
  SC_ASSERT_OK_AND_ASSIGN(const ParsedWorkerFlags parsed,
                          ParseWorkerFlags({"--memory-limit=8GiB"}, "1.0"));

  EXPECT_EQ(parsed.flags.memory_limit, int64_t{8} << 30);
}

TEST(WorkerFlagsTest, SuggestTheFlagThatWasMeant) {
  EXPECT_THAT(ParseWorkerFlags({"--metrics-prot=1"}, "1.0"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there is no flag --metrics-prot; did you mean "
                       "'--metrics-port'?"));
}

TEST(WorkerFlagsTest, RefuseAPortOutOfRangeOnOneLine) {
  EXPECT_THAT(ParseWorkerFlags({"--port=70000"}, "1.0"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("--port"), HasSubstr("70000"))));
}

TEST(WorkerFlagsTest, AskForADataRootBeyondLoopback) {
  EXPECT_THAT(ParseWorkerFlags({"--listen=0.0.0.0"}, "1.0"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("--data-root DIR")));
  EXPECT_THAT(
      ParseWorkerFlags({"--listen=0.0.0.0", "--data-root=/data"}, "1.0"),
      IsOk());
}

}  // namespace
}  // namespace stagecoach

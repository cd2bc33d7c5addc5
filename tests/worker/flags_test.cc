#include "worker/flags.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
  EXPECT_THAT(ParseWorkerFlags({"--listen=0.0.0.0", "--data-root=/tmp"}, "1.0"),
              IsOk());
}

TEST(WorkerFlagsTest, SayWhatIsWrongWithAValue) {
  const std::pair<const char*, const char*> cases[] = {
      {"--coordinator=foo",
       "--coordinator: 'foo' must be HOST:PORT, the port 1 to 65535; e.g. "
       "127.0.0.1:7070"},
      {"--coordinator=127.0.0.1:99999", "--coordinator: '127.0.0.1:99999' "},
      {"--advertise=host", "--advertise: 'host' must be HOST:PORT"},
      {"--name=a b",
       "--name: 'a b' must be 1 to 100 letters, digits, '-', '_' and '.'; "
       "e.g. worker-0"},
      {"--memory-limit=-1",
       "--memory-limit: must be at least 0, not -1; e.g. 8GiB"},
      {"--data-root=/no/such", "--data-root: there is no folder /no/such here"},
      {"--slots=0", "--slots: Value 0 not in range 1 to 64"},
      {"--device=gpu", "--device: gpu not in {auto,cpu,cuda}"},
  };
  for (const auto& [flag, error] : cases) {
    EXPECT_THAT(ParseWorkerFlags({flag}, "1.0"),
                StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(error)))
        << flag;
  }
}

}  // namespace
}  // namespace stagecoach

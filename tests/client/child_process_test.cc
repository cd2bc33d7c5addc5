#include "client/child_process.h"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "client/interrupt.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;

class ChildProcessTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::string& script) {
    return ChildProcess::Start(
        {.command = {"/bin/sh", "-c", script}, .log = log_}, *lifeline_,
        [this](const ExitStatus& status) {
          status_ = status.ToString();
          ended_.Trigger();
        });
  }

  std::string AwaitEnd() {
    EXPECT_TRUE(ended_.WaitFor(absl::Minutes(1)));
    return status_;
  }

  std::string Log() const {
    std::stringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }

  const std::string log_ = testing::TempDir() + "/child_process_test." +
                           std::to_string(getpid()) + ".log";
  std::unique_ptr<Lifeline> lifeline_ = std::make_unique<Lifeline>();
  std::string status_;
  Interrupt ended_;  // as an event

  void TearDown() override { std::filesystem::remove(log_); }
};

TEST_F(ChildProcessTest, TellsHowTheChildExited) {
  SC_ASSERT_OK_AND_ASSIGN(const auto child, Start("exit 3"));

  EXPECT_EQ(AwaitEnd(), "exit code 3");
}

TEST_F(ChildProcessTest, TellsWhichSignalEndedTheChild) {
  SC_ASSERT_OK_AND_ASSIGN(const auto child, Start("read -r forever <&3"));

  child->Signal(SIGTERM);

  EXPECT_EQ(AwaitEnd(), "signal 15 (Terminated)");
}

TEST_F(ChildProcessTest, AppendsTheOutputToTheLog) {
  std::ofstream(log_) << "before\n";

  SC_ASSERT_OK_AND_ASSIGN(const auto child, Start("echo out; echo err >&2"));
  AwaitEnd();

  EXPECT_EQ(Log(), "before\nout\nerr\n");
}

TEST_F(ChildProcessTest, LetsTheChildSeeTheEndOfTheLifeline) {
  SC_ASSERT_OK_AND_ASSIGN(const auto child,
                          Start("read -r never <&3; echo the end; exit 4"));

  lifeline_.reset();

  EXPECT_EQ(AwaitEnd(), "exit code 4");
  EXPECT_EQ(Log(), "the end\n");
}

TEST_F(ChildProcessTest, KillsWhatStillRunsWhenItIsDestroyed) {
  SC_ASSERT_OK_AND_ASSIGN(auto child, Start("trap '' TERM; read -r never <&3"));

  child.reset();

  EXPECT_EQ(AwaitEnd(), "signal 9 (Killed)");
}

TEST_F(ChildProcessTest, SaysWhichProgramCannotBeStarted) {
  EXPECT_THAT(
      ChildProcess::Start({.command = {"/no/such/program"}, .log = log_},
                          *lifeline_, [](const ExitStatus&) {}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("/no/such/program")));
}

}  // namespace
}  // namespace stagecoach

#include "core/process/termination.h"

#include <signal.h>
#include <unistd.h>

#include <thread>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(TerminationTest, ReturnsForASignal) {
  Termination termination;
  kill(getpid(), SIGTERM);

  EXPECT_EQ(termination.Wait(/*parent_fd=*/-1), "SIGTERM");
}

TEST(TerminationTest, TellsAnInterruptFromATermination) {
  Termination termination;
  kill(getpid(), SIGINT);

  EXPECT_EQ(termination.Wait(/*parent_fd=*/-1), "SIGINT");
}

TEST(TerminationTest, ReturnsWhenTheParentsPipeEnds) {
  Termination termination;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);

  std::thread parent([&] { close(ends[1]); });
  const std::string reason = termination.Wait(ends[0]);
  parent.join();

  EXPECT_EQ(reason, "the parent process ended");
  close(ends[0]);
}

TEST(TerminationTest, IsNotEndedByWhatTheParentWrites) {
  Termination termination;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "x", 1), 1);

  std::thread parent([&] { close(ends[1]); });
  const std::string reason = termination.Wait(ends[0]);
  parent.join();

  EXPECT_EQ(reason, "the parent process ended");
  close(ends[0]);
}

TEST(TerminationTest, ReturnsTheFirstRequest) {
  Termination termination;

  std::thread other([&] { termination.Request("the server failed"); });
  const std::string reason = termination.Wait(/*parent_fd=*/-1);
  other.join();

  EXPECT_EQ(reason, "the server failed");
}

TEST(TerminationTest, LeavesTheNextSignalToTheSystem) {
  const auto wait_and_be_signalled_again = [] {
    Termination termination;
    termination.Request("drain");
    termination.Wait(/*parent_fd=*/-1);
    raise(SIGINT);
  };

  EXPECT_EXIT(wait_and_be_signalled_again(), testing::KilledBySignal(SIGINT),
              "");
}

}  // namespace
}  // namespace stagecoach

#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "core/job/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_process.h"
#include "tests/support/tiny_job.h"

// The three programs by themselves: flags, exit codes, ports.
namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ProgramsTest : public testing::Test {
 protected:
  static TestProcess::Options Program(const std::string& name,
                                      std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), (ProgramDir() / name).string());
    return {.command = std::move(arguments)};
  }

  TestProcess::Options Coordinator(const std::string& port = "0") {
    return Program(
        "stagecoach-coordinator",
        {absl::StrCat("--port=", port), "--metrics-port=0",
         absl::StrCat("--state=", (folder_.path() / "state").string()),
         absl::StrCat("--port-file=", PortFile())});
  }

  std::string PortFile() const { return (folder_.path() / "port").string(); }

  std::string Port() const {
    std::string port;
    std::ifstream(PortFile()) >> port;
    return port;
  }

  TempFolder folder_;
};

TEST_F(ProgramsTest, EveryProgramSaysItsVersion) {
  for (const char* name :
       {"stagecoach", "stagecoach-coordinator", "stagecoach-worker"}) {
    TestProcess process(Program(name, {"--version"}));

    EXPECT_EQ(process.AwaitExit(), 0) << name << process.err();
    EXPECT_THAT(process.out(), HasSubstr("0.1.0")) << name;
  }
}

TEST_F(ProgramsTest, TheWorkerSaysWhatItComputesWith) {
  TestProcess worker(Program("stagecoach-worker", {"--version"}));

  EXPECT_EQ(worker.AwaitExit(), 0);
  EXPECT_THAT(worker.out(), AllOf(HasSubstr("torch 2."), HasSubstr("CPU "),
                                  HasSubstr("CUDA ")));
}

TEST_F(ProgramsTest, EveryProgramRefusesAFlagThatIsMisspelt) {
  for (const char* name : {"stagecoach-coordinator", "stagecoach-worker"}) {
    TestProcess process(Program(name, {"--metrics-prot=0"}));

    EXPECT_EQ(process.AwaitExit(), 2) << name;
    EXPECT_THAT(process.err(), HasSubstr("--metrics-port")) << name;
  }
}

TEST_F(ProgramsTest, AClientWithoutACoordinatorExitsWithThree) {
  // A port that nobody listens at: one that was just given back.
  std::string port;
  {
    TestProcess coordinator(Coordinator());
    ASSERT_TRUE(coordinator.AwaitOutput("listen")) << coordinator.err();
    port = Port();
    coordinator.Signal(SIGTERM);
    ASSERT_TRUE(coordinator.AwaitExit().has_value());
  }

  TestProcess client(Program(
      "stagecoach", {"list", absl::StrCat("--coordinator=127.0.0.1:", port)}));

  EXPECT_EQ(client.AwaitExit(), 3);
  EXPECT_THAT(client.err(),
              StartsWith(absl::StrCat(
                  "stagecoach: the coordinator at 127.0.0.1:", port)));
}

TEST_F(ProgramsTest, APortThatIsTakenIsAnErrorOfConfiguration) {
  TestProcess first(Coordinator());
  ASSERT_TRUE(first.AwaitOutput("listen")) << first.err();

  TestProcess worker(
      Program("stagecoach-worker",
              {absl::StrCat("--port=", Port()), "--metrics-port=0"}));

  EXPECT_EQ(worker.AwaitExit(), 2);
  EXPECT_THAT(worker.err(), AllOf(HasSubstr(Port()), HasSubstr("taken")));
}

TEST_F(ProgramsTest, AWorkerBeyondLoopbackNeedsADataRoot) {
  TestProcess worker(
      Program("stagecoach-worker", {"--listen=0.0.0.0", "--port=0"}));

  EXPECT_EQ(worker.AwaitExit(), 2);
  EXPECT_THAT(worker.err(), HasSubstr("--data-root"));
}

TEST_F(ProgramsTest, AnIdleWorkerEndsAtOnceWhenItIsTold) {
  TestProcess worker(
      Program("stagecoach-worker",
              {"--port=0", "--metrics-port=0", "--coordinator=127.0.0.1:1"}));
  ASSERT_TRUE(worker.AwaitOutput("listens at")) << worker.err();

  worker.Signal(SIGTERM);

  EXPECT_EQ(worker.AwaitExit(absl::Seconds(30)), 0) << worker.err();
}

TEST_F(ProgramsTest, AJobIsSubmittedWatchedAndCancelled) {
  WriteTinyData(folder_.path());
  const std::string job = (folder_.path() / "job.yaml").string();
  std::ofstream(job) << TinyYaml(folder_.path(), /*stages=*/1, 100'000);
  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(coordinator.AwaitOutput("listen")) << coordinator.err();
  const std::string at = absl::StrCat("--coordinator=127.0.0.1:", Port());
  TestProcess worker(
      Program("stagecoach-worker", {at, "--port=0", "--metrics-port=0"}));

  TestProcess submit(Program("stagecoach", {"submit", job, at, "--key=once"}));
  ASSERT_EQ(submit.AwaitExit(), 0) << submit.err();
  const std::string id = submit.out().substr(0, submit.out().find('\n'));
  TestProcess again(Program("stagecoach", {"submit", job, at, "--key=once"}));
  ASSERT_EQ(again.AwaitExit(), 0);
  EXPECT_EQ(again.out(), submit.out());

  TestProcess watch(Program("stagecoach", {"watch", id, at}));
  ASSERT_TRUE(watch.AwaitOutput("accuracy")) << watch.err();
  watch.Signal(SIGINT);
  EXPECT_EQ(watch.AwaitExit(), 130);
  EXPECT_THAT(watch.err(), HasSubstr(id + " goes on"));

  TestProcess cancel(Program("stagecoach", {"cancel", id, at}));
  EXPECT_EQ(cancel.AwaitExit(), 0) << cancel.err();
  TestProcess last(Program("stagecoach", {"watch", id, at, "--output=json"}));
  EXPECT_EQ(last.AwaitExit(), 1);
  EXPECT_THAT(last.out(), HasSubstr("\"cancelled\""));
}

TEST_F(ProgramsTest, WhoWatchesAJobThatWaitsIsToldWhy) {
  WriteTinyData(folder_.path());
  const std::string job = (folder_.path() / "job.yaml").string();
  std::ofstream(job) << TinyYaml(folder_.path(), /*stages=*/3, /*epochs=*/1);
  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(coordinator.AwaitOutput("listen")) << coordinator.err();
  const std::string at = absl::StrCat("--coordinator=127.0.0.1:", Port());

  TestProcess watch(Program("stagecoach", {"submit", job, at, "--watch"}));

  EXPECT_TRUE(
      watch.AwaitOutput("job-1 queued: needs 3 slots, no worker is "
                        "here"))
      << watch.out();
  TestProcess list(Program("stagecoach", {"list", at}));
  EXPECT_EQ(list.AwaitExit(), 0);
  EXPECT_THAT(list.out(), HasSubstr("needs 3 slots, no worker is here"));
}

TEST_F(ProgramsTest, AWatcherOutlivesARestartOfTheCoordinator) {
  WriteTinyData(folder_.path());
  const std::string job = (folder_.path() / "job.yaml").string();
  std::ofstream(job) << TinyYaml(folder_.path(), /*stages=*/1, 100'000);
  std::optional<TestProcess> coordinator(std::in_place, Coordinator());
  ASSERT_TRUE(coordinator->AwaitOutput("listen")) << coordinator->err();
  const std::string port = Port();
  const std::string at = absl::StrCat("--coordinator=127.0.0.1:", port);
  TestProcess worker(
      Program("stagecoach-worker", {at, "--port=0", "--metrics-port=0"}));
  TestProcess watch(Program("stagecoach", {"submit", job, at, "--watch"}));
  ASSERT_TRUE(watch.AwaitOutput("accuracy")) << watch.err();

  coordinator->Signal(SIGTERM);
  EXPECT_EQ(coordinator->AwaitExit(), 0);
  coordinator.emplace(Coordinator(port));
  ASSERT_TRUE(coordinator->AwaitOutput("goes on")) << coordinator->err();
  TestProcess cancel(Program("stagecoach", {"cancel", "job-1", at}));

  EXPECT_EQ(cancel.AwaitExit(), 0) << cancel.err();
  EXPECT_EQ(watch.AwaitExit(), 1) << watch.err();
  EXPECT_THAT(watch.out(), HasSubstr("job-1 cancelled"));
}

TEST_F(ProgramsTest, WatchingWithoutACoordinatorEndsAtOnce) {
  TestProcess watch(
      Program("stagecoach", {"watch", "job-1", "--coordinator=127.0.0.1:1"}));

  EXPECT_EQ(watch.AwaitExit(), 3);
  EXPECT_EQ(watch.err(),
            "stagecoach: the coordinator at 127.0.0.1:1 cannot be reached "
            "(Connection refused)\n");
}

// Nobody wants a trace of a crash for a second Ctrl-C.
TEST_F(ProgramsTest, ASecondSignalEndsAProgramWithoutATrace) {
  TestProcess worker(
      Program("stagecoach-worker",
              {"--port=0", "--metrics-port=0", "--coordinator=127.0.0.1:1"}));
  ASSERT_TRUE(worker.AwaitOutput("listens at")) << worker.err();

  worker.Signal(SIGTERM);
  worker.Signal(SIGTERM);

  EXPECT_THAT(worker.AwaitExit(), AnyOf(0, -SIGTERM));
  EXPECT_THAT(worker.err(), Not(HasSubstr("***")));
}

TEST_F(ProgramsTest, NoSuchJobExitsWithFive) {
  TestProcess coordinator(Coordinator());
  ASSERT_TRUE(coordinator.AwaitOutput("listen")) << coordinator.err();

  TestProcess describe(Program(
      "stagecoach", {"describe", "job-99",
                     absl::StrCat("--coordinator=127.0.0.1:", Port())}));

  EXPECT_EQ(describe.AwaitExit(), 5);
  EXPECT_THAT(describe.err(), HasSubstr("job-99"));
}

}  // namespace
}  // namespace stagecoach

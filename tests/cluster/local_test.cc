#include <signal.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/job/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_process.h"
#include "tests/support/tiny_job.h"

// `stagecoach local` and all that it starts, as users run it.
namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class LocalTest : public testing::Test {
 protected:
  LocalTest() { WriteTinyData(folder_.path()); }

  std::string WriteJob(const std::string& text) const {
    const std::filesystem::path path = folder_.path() / "job.yaml";
    std::ofstream(path) << text;
    return path.string();
  }

  std::string TinyJob(int64_t epochs) const {
    return WriteJob(TinyYaml(folder_.path(), /*stages=*/2, epochs));
  }

  TestProcess::Options Stagecoach(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), (ProgramDir() / "stagecoach").string());
    return {.command = std::move(arguments)};
  }

  TestProcess::Options Local(const std::string& job,
                             const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"local", job,
                                          absl::StrCat("--state=", NewState())};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Stagecoach(arguments);
  }

  // A state folder of its own for each run.
  std::string NewState() {
    state_ = (folder_.path() / absl::StrCat("state-", ++states_)).string();
    return state_;
  }

  // The `result` of a run that succeeds.
  Value RunToResult(const std::string& job,
                    const std::vector<std::string>& more = {}) {
    std::vector<std::string> flags = {"--output=json"};
    flags.insert(flags.end(), more.begin(), more.end());
    TestProcess local(Local(job, flags));
    EXPECT_EQ(local.AwaitExit(), 0) << local.err();
    return Value::parse(local.out(), nullptr, /*allow_exceptions=*/false);
  }

  TempFolder folder_;
  std::string state_;  // of the newest run
  int states_ = 0;
};

TEST_F(LocalTest, RunsAJobToItsEndAndLeavesNothingBehind) {
  TestProcess local(Local(TinyJob(/*epochs=*/30)));

  EXPECT_EQ(local.AwaitExit(), 0) << local.err();

  EXPECT_THAT(local.out(),
              AllOf(HasSubstr("succeeded after"), HasSubstr("test accuracy"),
                    HasSubstr("weights_digest "), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(local.err(), HasSubstr(state_));
  EXPECT_THAT(ProcessesWith(state_), IsEmpty());
}

TEST_F(LocalTest, TheResultTellsAllThatItPromises) {
  const Value result = RunToResult(TinyJob(/*epochs=*/30));

  EXPECT_EQ(result["state"], "succeeded");
  EXPECT_EQ(result["steps"], 240);
  EXPECT_EQ(result["evaluation"]["last"]["step"], 240);
  EXPECT_GT(result["evaluation"]["last"]["accuracy"].get<double>(), 0.9);
  EXPECT_EQ(result["stages"].size(), 2u);
  EXPECT_EQ(result["stages"][0]["staleness"]["max"],
            result["stages"][0]["staleness"]["after_fill"]);
  EXPECT_EQ(result["weights_digest"].get<std::string>().size(), 64u);
  EXPECT_EQ(result["recoveries"], 0);
}

TEST_F(LocalTest, TheResultDoesNotDependOnTheProcesses) {
  const std::string job = TinyJob(/*epochs=*/10);

  const Value apart = RunToResult(job);
  const Value together = RunToResult(job, {"--in-process"});
  const Value again = RunToResult(job, {"--workers=1"});

  EXPECT_EQ(apart["weights_digest"], together["weights_digest"]);
  EXPECT_EQ(apart["weights_digest"], again["weights_digest"]);
  EXPECT_NE(apart["stages"][0]["worker"], apart["stages"][1]["worker"]);
  EXPECT_EQ(together["stages"][0]["worker"], together["stages"][1]["worker"]);
}

TEST_F(LocalTest, AWorkerThatIsKilledIsReplacedWithTheSameResult) {
  const std::string job = TinyJob(/*epochs=*/400);
  const Value undisturbed = RunToResult(job);

  TestProcess local(Local(job, {"--output=json"}));
  ASSERT_TRUE(local.AwaitOutput("accuracy")) << local.err();
  const std::vector<pid_t> worker = ChildrenOf(local.pid(), "--name=worker-1");
  ASSERT_THAT(worker, SizeIs(1));
  kill(worker[0], SIGKILL);
  EXPECT_EQ(local.AwaitExit(), 0) << local.err();

  const Value result = Value::parse(local.out());
  EXPECT_EQ(result["recoveries"], 1);
  EXPECT_EQ(result["weights_digest"], undisturbed["weights_digest"]);
}

TEST_F(LocalTest, TrainingGoesOnWhileTheCoordinatorIsKilled) {
  const std::string job = TinyJob(/*epochs=*/400);
  const Value undisturbed = RunToResult(job);

  TestProcess local(Local(job, {"--output=json"}));
  ASSERT_TRUE(local.AwaitOutput("accuracy")) << local.err();
  const std::vector<pid_t> coordinator =
      ChildrenOf(local.pid(), "stagecoach-coordinator");
  ASSERT_THAT(coordinator, SizeIs(1));
  kill(coordinator[0], SIGKILL);
  EXPECT_EQ(local.AwaitExit(), 0) << local.err();

  EXPECT_EQ(Value::parse(local.out())["weights_digest"],
            undisturbed["weights_digest"]);
}

TEST_F(LocalTest, CtrlCStopsTheJobAndEveryProcess) {
  TestProcess local(Local(TinyJob(/*epochs=*/100'000)));
  ASSERT_TRUE(local.AwaitOutput("accuracy")) << local.err();

  local.Signal(SIGINT);

  EXPECT_EQ(local.AwaitExit(), 130);
  EXPECT_THAT(local.err(), HasSubstr("is cancelled"));
  EXPECT_THAT(ProcessesWith(state_), IsEmpty());
}

TEST_F(LocalTest, NoProcessOutlivesItEvenWhenItIsKilled) {
  TestProcess local(Local(TinyJob(/*epochs=*/100'000)));
  ASSERT_TRUE(local.AwaitOutput("accuracy")) << local.err();
  const std::vector<pid_t> children = ChildrenOf(local.pid(), "stagecoach-");
  ASSERT_THAT(children, SizeIs(3));

  local.Signal(SIGKILL);

  EXPECT_EQ(local.AwaitExit(), -SIGKILL);
  EXPECT_TRUE(AwaitEndOf(children));
}

TEST_F(LocalTest, AJobFileThatIsWrongIsRefusedWithItsLine) {
  const std::string job =
      WriteJob("name: wrong\nmodel:\n  mlp: {sizes: [16, 4]}\nstagse: 2\n");

  TestProcess local(Local(job));

  EXPECT_EQ(local.AwaitExit(), 2);
  EXPECT_THAT(local.err(), StartsWith("stagecoach: " + job + ":4:"));
  EXPECT_THAT(local.err(), HasSubstr("stages"));
}

TEST_F(LocalTest, AValueThatIsOutOfRangeIsRefusedWithItsLine) {
  std::string text = TinyYaml(folder_.path(), /*stages=*/2, /*epochs=*/1);
  text += "learning_rate: {base: -1}\n";
  const std::string job = WriteJob(text);

  TestProcess local(Local(job));

  EXPECT_EQ(local.AwaitExit(), 2);
  EXPECT_THAT(local.err(), StartsWith("stagecoach: " + job + ":11:"));
  EXPECT_THAT(local.err(), HasSubstr("learning_rate.base"));
}

TEST_F(LocalTest, DataThatIsNotThereIsRefusedBeforeAnythingStarts) {
  TestProcess local(
      Local(WriteJob(TinyYaml("/no/such/folder", /*stages=*/2, 1))));

  EXPECT_EQ(local.AwaitExit(), 2);
  EXPECT_THAT(local.err(),
              AllOf(HasSubstr("job.yaml:5:"), HasSubstr("/no/such/folder")));
}

}  // namespace
}  // namespace stagecoach

#include "client/supervised_child.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "client/interrupt.h"
#include "core/base/thread_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;

class SupervisedChildTest : public testing::Test {
 protected:
  SupervisedChildTest()
      : log_(testing::TempDir() + "/supervised_child_test." +
             std::to_string(getpid()) + ".log"),
        executor_(std::make_unique<ThreadExecutor>("test")) {}

  // Nothing runs on the executor when the child is destroyed.
  ~SupervisedChildTest() override {
    executor_.reset();
    std::filesystem::remove(log_);
  }

  void Start(const std::string& script) {
    child_ = std::make_unique<SupervisedChild>(
        "worker-0",
        ChildProcess::Options{.command = {"/bin/sh", "-c", script},
                              .log = log_},
        SupervisedChild::Seams{.executor = *executor_,
                               .clock = clock_,
                               .lifeline = lifeline_,
                               .given_up = [this](absl::Status why) {
                                 why_ = std::string(why.message());
                                 given_up_.Trigger();
                               }});
    executor_->Post([this] { child_->Start(); });
  }

  std::string Log() const {
    std::stringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }

  const std::string log_;
  const SystemClock clock_;
  const Lifeline lifeline_;
  Interrupt given_up_;  // as an event
  std::string why_;
  std::unique_ptr<SupervisedChild> child_;
  std::unique_ptr<ThreadExecutor> executor_;
};

TEST_F(SupervisedChildTest, StartsAgainWhatEnds) {
  // The second life reports a wrong configuration, which ends the test.
  Start("if [ -s " + log_ + " ]; then exit 2; fi; echo first; exit 1");

  ASSERT_TRUE(given_up_.WaitFor(absl::Minutes(1)));

  EXPECT_EQ(Log(), "first\n");
}

TEST_F(SupervisedChildTest, GivesUpOnAConfigurationThatIsRefused) {
  Start("echo once; exit 2");

  ASSERT_TRUE(given_up_.WaitFor(absl::Minutes(1)));

  EXPECT_EQ(Log(), "once\n");
  EXPECT_THAT(why_, HasSubstr("worker-0: it refused its configuration"));
  EXPECT_THAT(why_, HasSubstr(log_));
}

TEST_F(SupervisedChildTest, StopsAChildThatIgnoresItsWish) {
  Start("trap '' TERM; read -r never <&3");
  Interrupt stopped;

  executor_->Post([&] {
    child_->Stop(absl::Milliseconds(50), [&] { stopped.Trigger(); });
  });

  EXPECT_TRUE(stopped.WaitFor(absl::Minutes(1)));
  EXPECT_FALSE(given_up_.triggered());
}

}  // namespace
}  // namespace stagecoach

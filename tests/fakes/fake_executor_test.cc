#include "tests/fakes/fake_executor.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FakeExecutorTest : public testing::Test {
 protected:
  std::function<void()> Note(std::string name) {
    return [this, name = std::move(name)] { ran_.push_back(name); };
  }

  FakeClock clock_;
  FakeExecutor executor_{clock_};
  std::vector<std::string> ran_;
};

TEST_F(FakeExecutorTest, RunsNothingByItself) {
  executor_.Post(Note("a"));

  EXPECT_THAT(ran_, IsEmpty());
  EXPECT_EQ(executor_.waiting(), 1);
}

TEST_F(FakeExecutorTest, RunsPostedTasksInTheirOrder) {
  executor_.Post(Note("a"));
  executor_.Post(Note("b"));

  EXPECT_EQ(executor_.RunUntilIdle(), 2);

  EXPECT_THAT(ran_, ElementsAre("a", "b"));
}

TEST_F(FakeExecutorTest, RunsWhatTasksPost) {
  executor_.Post([this] { executor_.Post(Note("inner")); });

  EXPECT_EQ(executor_.RunUntilIdle(), 2);

  EXPECT_THAT(ran_, ElementsAre("inner"));
}

TEST_F(FakeExecutorTest, AdvancesFromDeadlineToDeadline) {
  executor_.PostAfter(absl::Seconds(2), Note("late"));
  executor_.PostAfter(absl::Seconds(1), [this] {
    EXPECT_EQ(clock_.Now(), absl::Seconds(1));
    executor_.PostAfter(absl::Milliseconds(500), Note("between"));
  });
  executor_.PostAfter(absl::Seconds(4), Note("not yet"));

  EXPECT_EQ(executor_.Advance(absl::Seconds(3)), 3);

  EXPECT_THAT(ran_, ElementsAre("between", "late"));
  EXPECT_EQ(clock_.Now(), absl::Seconds(3));
  EXPECT_EQ(executor_.until_next(), absl::Seconds(1));
}

}  // namespace
}  // namespace stagecoach

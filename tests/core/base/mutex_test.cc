#include "core/base/mutex.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(MutexTest, LetsOneThreadInAtATime) {
  Mutex mutex;
  int count = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < 1000; ++j) {
          const MutexLock lock(mutex);
          ++count;
        }
      });
    }
  }

  EXPECT_EQ(count, 4000);
}

TEST(MutexTest, AwaitsAConditionThatAnotherThreadFulfils) {
  Mutex mutex;
  bool ready = false;
  std::jthread other([&] {
    const MutexLock lock(mutex);
    ready = true;
  });

  const MutexLock lock(mutex);
  EXPECT_TRUE(mutex.AwaitWithTimeout(absl::Condition(&ready),
                                     absl::InfiniteDuration()));
  EXPECT_TRUE(ready);
}

TEST(MutexTest, TakesTurnsThroughConditions) {
  Mutex mutex;
  int turn = 0;
  const auto play = [&](int mine) {
    for (int round = 0; round < 100; ++round) {
      const MutexLock lock(mutex);
      const auto my_turn = [&] { return turn % 2 == mine; };
      ASSERT_TRUE(
          mutex.AwaitWithTimeout(absl::Condition(&my_turn), absl::Seconds(30)));
      ++turn;
    }
  };
  {
    const std::jthread even(play, 0);
    const std::jthread odd(play, 1);
  }

  EXPECT_EQ(turn, 200);
}

TEST(MutexTest, GivesUpAfterTheTimeout) {
  Mutex mutex;
  const bool never = false;

  const MutexLock lock(mutex);
  EXPECT_FALSE(
      mutex.AwaitWithTimeout(absl::Condition(&never), absl::Milliseconds(1)));
}

TEST(MutexTest, SeesAConditionThatHoldsAlready) {
  Mutex mutex;
  const bool holds = true;

  const MutexLock lock(mutex);
  EXPECT_TRUE(
      mutex.AwaitWithTimeout(absl::Condition(&holds), absl::ZeroDuration()));
}

}  // namespace
}  // namespace stagecoach

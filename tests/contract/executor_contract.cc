#include "tests/contract/executor_contract.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "gmock/gmock.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What tasks note, for the test to wait for.
class Notes {
 public:
  std::function<void()> Add(int note) {
    return [this, note] {
      const MutexLock lock(mutex_);
      notes_.push_back(note);
    };
  }

  std::vector<int> WaitFor(size_t count) {
    const MutexLock lock(mutex_);
    const auto enough = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return notes_.size() >= count;
    };
    mutex_.AwaitWithTimeout(absl::Condition(&enough), absl::Seconds(30));
    return notes_;
  }

 private:
  Mutex mutex_;
  std::vector<int> notes_ ABSL_GUARDED_BY(mutex_);
};

TEST_P(ExecutorContract, RunsTasksInTheOrderOfPosting) {
  Notes notes;
  std::vector<int> all;
  for (int i = 0; i < 100; ++i) {
    executor().Post(notes.Add(i));
    all.push_back(i);
  }

  EXPECT_EQ(notes.WaitFor(100), all);
}

TEST_P(ExecutorContract, RunsTasksWhenTheyAreDue) {
  const SystemClock clock;
  Notes notes;
  std::atomic<bool> early = false;
  const absl::Duration before = clock.Now();
  executor().PostAfter(absl::Milliseconds(60), notes.Add(3));
  executor().PostAfter(absl::Milliseconds(20), [&, note = notes.Add(2)] {
    early = clock.Now() - before < absl::Milliseconds(20);
    note();
  });
  executor().Post(notes.Add(1));

  EXPECT_THAT(notes.WaitFor(3), ElementsAre(1, 2, 3));
  EXPECT_FALSE(early);
}

TEST_P(ExecutorContract, HearsOfAnEarlierTaskWhileItWaitsForALateOne) {
  Notes notes;
  executor().PostAfter(absl::Hours(1), notes.Add(2));

  executor().Post(notes.Add(1));

  EXPECT_THAT(notes.WaitFor(1), ElementsAre(1));
}

TEST_P(ExecutorContract, NeverRunsATaskInsidePost) {
  Notes notes;
  std::optional<std::thread::id> ran_on;
  bool inside = true;
  executor().Post([&, done = notes.Add(1)] {
    executor().Post([&, done] {
      ran_on = std::this_thread::get_id();
      inside = false;
      done();
    });
    EXPECT_TRUE(inside);
  });

  ASSERT_THAT(notes.WaitFor(1), ElementsAre(1));
  EXPECT_NE(ran_on, std::this_thread::get_id());
}

TEST_P(ExecutorContract, RunsOneTaskAtATime) {
  Notes notes;
  int running = 0;  // no lock: the contract is the lock
  int most = 0;
  {
    std::vector<std::jthread> posters;
    for (int i = 0; i < 4; ++i) {
      posters.emplace_back([&] {
        for (int j = 0; j < 50; ++j) {
          executor().Post([&, done = notes.Add(j)] {
            most = std::max(most, ++running);
            --running;
            done();
          });
        }
      });
    }
  }

  EXPECT_EQ(notes.WaitFor(200).size(), 200u);
  EXPECT_EQ(most, 1);
}

TEST_P(ExecutorContract, RunsWhatIsDueBeforeItEndsAndDropsTheRest) {
  Notes notes;
  executor().Post(notes.Add(1));
  executor().PostAfter(absl::Hours(1), notes.Add(2));

  world_.reset();

  EXPECT_THAT(notes.WaitFor(1), ElementsAre(1));
}

// Posts from its destructor, as links do that are dropped with their task.
class PostsAtTheEnd {
 public:
  explicit PostsAtTheEnd(Executor& executor, Notes& notes)
      : executor_(executor), note_(notes.Add(9)) {}
  ~PostsAtTheEnd() { executor_.Post(note_); }

 private:
  Executor& executor_;
  const std::function<void()> note_;
};

TEST_P(ExecutorContract, DropsWhatDroppedTasksPost) {
  Notes notes;
  auto owned = std::make_shared<PostsAtTheEnd>(executor(), notes);
  executor().PostAfter(absl::Hours(1), [owned] {});
  owned.reset();

  world_.reset();

  EXPECT_THAT(notes.WaitFor(0), IsEmpty());
}

}  // namespace
}  // namespace stagecoach

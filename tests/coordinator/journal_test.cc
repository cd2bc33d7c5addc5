#include "coordinator/journal.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/fake_job_store.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class JournalTest : public testing::Test {
 protected:
  static std::vector<Mutation> Change(int64_t number) {
    const JobId id("job-" + std::to_string(number));
    JobRecord record;
    record.number = number;
    record.status.id = id;
    return {{.job = id, .record = record}};
  }

  Journal::Done Note(int number) {
    return [this, number](const absl::Status& stored) {
      (stored.ok() ? stored_ : refused_).push_back(number);
    };
  }

  FakeClock clock_;
  FakeExecutor executor_{clock_};
  FakeJobStore store_;
  std::vector<absl::Status> failures_;
  Journal journal_{store_, executor_, [this](const absl::Status& failure) {
                     failures_.push_back(failure);
                   }};
  std::vector<int> stored_;
  std::vector<int> refused_;
};

TEST_F(JournalTest, AnswersOnlyWhatIsStored) {
  journal_.Enqueue(Change(1), Note(1));
  EXPECT_THAT(stored_, IsEmpty());

  executor_.RunUntilIdle();

  EXPECT_THAT(stored_, ElementsAre(1));
  EXPECT_THAT(*store_.LoadJobs(), SizeIs(1));
}

TEST_F(JournalTest, CommitsAllThatWaitsAtOnceAndAnswersInOrder) {
  journal_.Enqueue(Change(1), Note(1));
  journal_.Enqueue({}, Note(2));
  journal_.Enqueue(Change(2), Note(3));

  executor_.RunUntilIdle();

  EXPECT_THAT(stored_, ElementsAre(1, 2, 3));
  EXPECT_EQ(store_.commits(), 1);
}

TEST_F(JournalTest, TouchesNoDiskWhereNothingChanged) {
  journal_.Enqueue({}, Note(1));

  executor_.RunUntilIdle();

  EXPECT_THAT(stored_, ElementsAre(1));
  EXPECT_EQ(store_.commits(), 0);
}

TEST_F(JournalTest, TakesMoreWhileItAnswers) {
  journal_.Enqueue(Change(1), [this](const absl::Status&) {
    journal_.Enqueue(Change(2), Note(2));
  });

  executor_.RunUntilIdle();

  EXPECT_THAT(stored_, ElementsAre(2));
  EXPECT_TRUE(journal_.Flush(absl::ZeroDuration()));
}

TEST_F(JournalTest, StoresNothingMoreAfterAFailure) {
  store_.FailWith(absl::ResourceExhaustedError("the disk is full"));
  journal_.Enqueue(Change(1), Note(1));
  executor_.RunUntilIdle();
  store_.FailWith(absl::OkStatus());

  journal_.Enqueue(Change(2), Note(2));
  executor_.RunUntilIdle();

  EXPECT_THAT(refused_, ElementsAre(1, 2));
  EXPECT_THAT(failures_,
              ElementsAre(StatusIs(absl::StatusCode::kResourceExhausted)));
  EXPECT_THAT(*store_.LoadJobs(), IsEmpty());
}

TEST_F(JournalTest, SaysWhetherAllIsStored) {
  EXPECT_TRUE(journal_.Flush(absl::ZeroDuration()));
  journal_.Enqueue(Change(1), Note(1));

  EXPECT_FALSE(journal_.Flush(absl::ZeroDuration()));
}

}  // namespace
}  // namespace stagecoach

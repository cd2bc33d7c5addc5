#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/sqlite_job_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_job_codec.h"
#include "tests/fakes/fake_job_store.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A store that can be closed and opened again, as by a coordinator's restart.
class JobStoreWorld {
 public:
  virtual ~JobStoreWorld() = default;
  virtual void Reopen() = 0;
  virtual JobStore& store() = 0;
};

class FakeWorld final : public JobStoreWorld {
 public:
  void Reopen() override {}
  JobStore& store() override { return store_; }

 private:
  FakeJobStore store_;
};

class SqliteWorld final : public JobStoreWorld {
 public:
  SqliteWorld() { Reopen(); }

  void Reopen() override {
    store_.reset();
    auto opened =
        SqliteJobStore::Open((folder_.path() / "jobs.sqlite").string(), codec_);
    ASSERT_THAT(opened, IsOk());
    store_ = *std::move(opened);
  }
  JobStore& store() override { return *store_; }

 private:
  TempFolder folder_;
  FakeJobCodec codec_;
  std::unique_ptr<SqliteJobStore> store_;
};

struct JobStoreBackend {
  std::string name;
  std::function<std::unique_ptr<JobStoreWorld>()> make;
};

constexpr int kNoLimit = 1000;

JobId IdOf(int64_t number) { return JobId(absl::StrCat("job-", number)); }

JobRecord Record(int64_t number, JobState state = JobState::kQueued) {
  JobRecord record = {.number = number, .key = absl::StrCat("key ", number)};
  record.status.id = IdOf(number);
  record.status.state = state;
  return record;
}

JobEvent Event(int64_t sequence, const std::string& text = "text") {
  return {.sequence = sequence,
          .time = absl::FromUnixNanos(1'600'000'000'123'456'789 + sequence),
          .kind = "state",
          .text = text};
}

Mutation Put(const JobRecord& record, std::vector<JobEvent> events = {}) {
  return {
      .job = record.status.id, .record = record, .events = std::move(events)};
}

Mutation Add(int64_t number, std::vector<JobEvent> events) {
  return {.job = IdOf(number), .events = std::move(events)};
}

Mutation Forget(int64_t number) {
  return {.job = IdOf(number), .forget = true};
}

// What every JobStore does.
class JobStoreContract : public testing::TestWithParam<JobStoreBackend> {
 protected:
  JobStore& store() { return world_->store(); }

  absl::Status Commit(const std::vector<Mutation>& mutations) {
    return store().Commit(mutations);
  }

  const std::unique_ptr<JobStoreWorld> world_ = GetParam().make();
};

TEST_P(JobStoreContract, IsEmptyAtFirst) {
  EXPECT_THAT(store().LoadJobs(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(store().LoadJobs(), IsOkAndHolds(IsEmpty()));
}

TEST_P(JobStoreContract, KeepsJobsInTheOrderOfTheirNumbers) {
  ASSERT_THAT(Commit({Put(Record(10)), Put(Record(9))}), IsOk());
  ASSERT_THAT(Commit({Put(Record(11))}), IsOk());

  world_->Reopen();

  EXPECT_THAT(store().LoadJobs(),
              IsOkAndHolds(ElementsAre(Record(9), Record(10), Record(11))));
}

TEST_P(JobStoreContract, ReplacesTheRecordOfAJob) {
  ASSERT_THAT(Commit({Put(Record(1), {Event(1)})}), IsOk());

  ASSERT_THAT(Commit({Put(Record(1, JobState::kRunning))}), IsOk());

  EXPECT_THAT(store().LoadJobs(),
              IsOkAndHolds(ElementsAre(Record(1, JobState::kRunning))));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1))));
}

TEST_P(JobStoreContract, AddsEventsToTheJobThatTheyAreOf) {
  ASSERT_THAT(Commit({Put(Record(1), {Event(1), Event(2)}),
                      Put(Record(2), {Event(1, "of another")})}),
              IsOk());
  ASSERT_THAT(Commit({Add(1, {Event(3)})}), IsOk());

  world_->Reopen();

  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1), Event(2), Event(3))));
  EXPECT_THAT(store().LoadEvents(IdOf(2), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1, "of another"))));
  EXPECT_THAT(store().LoadJobs(),
              IsOkAndHolds(ElementsAre(Record(1), Record(2))));
}

TEST_P(JobStoreContract, LoadsEventsAfterOneAndNotMoreThanAsked) {
  std::vector<JobEvent> events;
  for (int64_t sequence = 1; sequence <= 20; ++sequence) {
    events.push_back(Event(sequence));
  }
  ASSERT_THAT(Commit({Put(Record(1), events)}), IsOk());

  EXPECT_THAT(store().LoadEvents(IdOf(1), 9, 3),
              IsOkAndHolds(ElementsAre(Event(10), Event(11), Event(12))));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 18, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(19), Event(20))));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 20, kNoLimit),
              IsOkAndHolds(IsEmpty()));
}

TEST_P(JobStoreContract, KeepsTextsToTheByte) {
  const std::string text("it's \"\xE2\x82\xAC\"; --\n\0?", 17);
  ASSERT_THAT(Commit({Put(Record(1), {Event(1, text), Event(2, "")})}), IsOk());

  world_->Reopen();

  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1, text), Event(2, ""))));
}

TEST_P(JobStoreContract, ForgetsAJobWithItsEvents) {
  ASSERT_THAT(Commit({Put(Record(1), {Event(1)}), Put(Record(2), {Event(1)})}),
              IsOk());

  ASSERT_THAT(Commit({Forget(1), Forget(99)}), IsOk());
  world_->Reopen();

  EXPECT_THAT(store().LoadJobs(), IsOkAndHolds(ElementsAre(Record(2))));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(store().LoadEvents(IdOf(2), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1))));
}

TEST_P(JobStoreContract, AppliesMutationsInTheirOrder) {
  ASSERT_THAT(Commit({Put(Record(1), {Event(1)}), Forget(1),
                      Put(Record(1, JobState::kFailed), {Event(1, "again")}),
                      Put(Record(2), {Event(1)}), Forget(2)}),
              IsOk());

  EXPECT_THAT(store().LoadJobs(),
              IsOkAndHolds(ElementsAre(Record(1, JobState::kFailed))));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1, "again"))));
}

TEST_P(JobStoreContract, ChangesNothingWhenOneMutationFails) {
  ASSERT_THAT(Commit({Put(Record(1), {Event(1)}), Put(Record(2))}), IsOk());

  EXPECT_THAT(Commit({Put(Record(1, JobState::kRunning), {Event(2)}), Forget(2),
                      Put(Record(3), {Event(1)}), Add(1, {Event(1)})}),
              StatusIs(absl::StatusCode::kInternal));

  EXPECT_THAT(store().LoadJobs(),
              IsOkAndHolds(ElementsAre(Record(1), Record(2))));
  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1))));
  EXPECT_THAT(store().LoadEvents(IdOf(3), 0, kNoLimit),
              IsOkAndHolds(IsEmpty()));
}

TEST_P(JobStoreContract, GoesOnAfterACommitThatFailed) {
  ASSERT_THAT(Commit({Put(Record(1), {Event(1)})}), IsOk());
  ASSERT_FALSE(Commit({Add(1, {Event(1)})}).ok());

  EXPECT_THAT(Commit({Add(1, {Event(2)})}), IsOk());
  world_->Reopen();

  EXPECT_THAT(store().LoadEvents(IdOf(1), 0, kNoLimit),
              IsOkAndHolds(ElementsAre(Event(1), Event(2))));
}

INSTANTIATE_TEST_SUITE_P(
    All, JobStoreContract,
    testing::Values(
        JobStoreBackend{"Fake", [] { return std::make_unique<FakeWorld>(); }},
        JobStoreBackend{"Sqlite",
                        [] { return std::make_unique<SqliteWorld>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach

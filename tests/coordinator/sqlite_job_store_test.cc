#include "coordinator/sqlite_job_store.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_job_codec.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

// What every store does is in tests/contract: here is what a file brings.
namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class SqliteJobStoreTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<SqliteJobStore>> Open() {
    return SqliteJobStore::Open(path_, codec_);
  }

  absl::Status PutOneJob(JobStore& store) {
    std::vector<Mutation> mutations(1);
    mutations[0].job = JobId("job-7");
    JobRecord& record = mutations[0].record.emplace();
    record.number = 7;
    record.status.id = JobId("job-7");
    return store.Commit(mutations);
  }

  // Runs one statement on the file while no store has it.
  void Change(const std::string& statement) {
    SC_ASSERT_OK_AND_ASSIGN(Sqlite database, Sqlite::Open(path_));
    ASSERT_THAT(database.Run(statement), IsOk());
  }

  TempFolder folder_;
  const std::string path_ = (folder_.path() / "jobs.sqlite").string();
  FakeJobCodec codec_;
};

TEST_F(SqliteJobStoreTest, IsOpenedByOneCoordinatorAtATime) {
  SC_ASSERT_OK_AND_ASSIGN(auto first, Open());

  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kUnavailable,
                               AllOf(HasSubstr(path_),
                                     HasSubstr("in use by another coordinator"),
                                     HasSubstr("--state"))));

  EXPECT_THAT(PutOneJob(*first), IsOk());
  first.reset();
  EXPECT_THAT(Open(), IsOk());
}

TEST_F(SqliteJobStoreTest, IsRefusedWhenANewerCoordinatorMadeIt) {
  ASSERT_THAT(Open(), IsOk());
  Change("PRAGMA user_version = 2");

  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               AllOf(HasSubstr(path_), HasSubstr("version 2"),
                                     HasSubstr("a newer coordinator made"),
                                     HasSubstr("knows versions up to 1"))));

  Change("PRAGMA user_version = 1");
  EXPECT_THAT(Open(), IsOk());
}

TEST_F(SqliteJobStoreTest, LeavesTheDatabaseOfAnotherProgramAlone) {
  Change("CREATE TABLE songs(name TEXT)");

  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("is not a coordinator's")));

  SC_ASSERT_OK_AND_ASSIGN(Sqlite database, Sqlite::Open(path_));
  EXPECT_THAT(database.AskText("PRAGMA journal_mode"), IsOkAndHolds("delete"));
  EXPECT_THAT(database.Ask("SELECT count(*) FROM sqlite_master"),
              IsOkAndHolds(1));
}

TEST_F(SqliteJobStoreTest, SaysThatAFileIsNoDatabase) {
  std::ofstream(path_) << std::string(4096, 'x');

  EXPECT_THAT(Open(), StatusIs(absl::StatusCode::kDataLoss,
                               AllOf(HasSubstr(path_), HasSubstr("--state"))));
}

TEST_F(SqliteJobStoreTest, SaysThatAFolderDoesNotExist) {
  EXPECT_THAT(SqliteJobStore::Open("/no/such/folder/jobs.sqlite", codec_),
              StatusIs(absl::StatusCode::kInternal,
                       HasSubstr("/no/such/folder/jobs.sqlite: unable to open "
                                 "database file")));
}

TEST_F(SqliteJobStoreTest, NamesTheJobThatCannotBeRead) {
  {
    SC_ASSERT_OK_AND_ASSIGN(auto store, Open());
    ASSERT_THAT(PutOneJob(*store), IsOk());
  }
  Change("UPDATE jobs SET record = 'scrambled'");

  SC_ASSERT_OK_AND_ASSIGN(auto store, Open());

  EXPECT_THAT(
      store->LoadJobs(),
      StatusIs(absl::StatusCode::kDataLoss,
               AllOf(HasSubstr(path_), HasSubstr("job-7 cannot be read"))));
}

// What a crash leaves: the file and its log as they lie on the disk.
TEST_F(SqliteJobStoreTest, KeepsWhatWasCommittedWhenItIsNotClosed) {
  SC_ASSERT_OK_AND_ASSIGN(auto store, Open());
  ASSERT_THAT(PutOneJob(*store), IsOk());
  const std::filesystem::path crashed = folder_.path() / "crashed";
  std::filesystem::create_directory(crashed);
  for (const char* name : {"jobs.sqlite", "jobs.sqlite-wal"}) {
    std::filesystem::copy_file(folder_.path() / name, crashed / name);
  }

  SC_ASSERT_OK_AND_ASSIGN(
      auto again,
      SqliteJobStore::Open((crashed / "jobs.sqlite").string(), codec_));

  EXPECT_THAT(again->LoadJobs(), IsOkAndHolds(SizeIs(1)));
}

TEST_F(SqliteJobStoreTest, LosesACommitThatDidNotReachTheDiskAsAWhole) {
  SC_ASSERT_OK_AND_ASSIGN(auto store, Open());
  ASSERT_THAT(PutOneJob(*store), IsOk());
  const std::filesystem::path crashed = folder_.path() / "crashed";
  std::filesystem::create_directory(crashed);
  for (const char* name : {"jobs.sqlite", "jobs.sqlite-wal"}) {
    std::filesystem::copy_file(folder_.path() / name, crashed / name);
  }
  const std::filesystem::path log = crashed / "jobs.sqlite-wal";
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 100);

  SC_ASSERT_OK_AND_ASSIGN(
      auto again,
      SqliteJobStore::Open((crashed / "jobs.sqlite").string(), codec_));

  EXPECT_THAT(again->LoadJobs(), IsOkAndHolds(IsEmpty()));
}

}  // namespace
}  // namespace stagecoach

#include "tests/fakes/fake_file_system.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using CrashPoint = FakeFileSystem::CrashPoint;

constexpr int64_t kNoLimit = 1 << 20;

TEST(FakeFileSystemTest, ChangesNothingWhenTheDiskIsFull) {
  FakeFileSystem files;
  ASSERT_THAT(files.Replace("/a", "12345"), IsOk());
  files.SetCapacity(10);

  EXPECT_THAT(files.Replace("/a", "123456"),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(files.Read("/a", kNoLimit), IsOkAndHolds("12345"));
  EXPECT_THAT(files.Replace("/a", "54321"), IsOk());
}

TEST(FakeFileSystemTest, LeavesATornTemporaryFileWhenItCrashesWhileWriting) {
  FakeFileSystem files;
  files.CrashAfter(1, CrashPoint::kWhileWriting);
  ASSERT_THAT(files.Replace("/a", "old"), IsOk());

  EXPECT_THAT(files.Replace("/a", "newer"),
              StatusIs(absl::StatusCode::kUnavailable));

  EXPECT_TRUE(files.crashed());
  EXPECT_THAT(files.files(),
              ElementsAre(Pair("/a", "old"), Pair("/a.1.new", "ne")));
}

TEST(FakeFileSystemTest, LosesARenameThatWasNotSynced) {
  FakeFileSystem files;
  ASSERT_THAT(files.Replace("/a", "old"), IsOk());
  files.CrashAfter(0, CrashPoint::kBeforeFolderSync);

  EXPECT_THAT(files.Replace("/a", "new"),
              StatusIs(absl::StatusCode::kUnavailable));

  files.Restart();
  EXPECT_THAT(files.Read("/a", kNoLimit), IsOkAndHolds("old"));
}

TEST(FakeFileSystemTest, KeepsWhatWasSyncedThoughNobodyHeardOfIt) {
  FakeFileSystem files;
  files.CrashAfter(0, CrashPoint::kAfterwards);

  EXPECT_THAT(files.Replace("/a", "new"),
              StatusIs(absl::StatusCode::kUnavailable));

  files.Restart();
  EXPECT_THAT(files.Read("/a", kNoLimit), IsOkAndHolds("new"));
}

TEST(FakeFileSystemTest, AnswersNothingWhileItIsOff) {
  FakeFileSystem files;
  files.CrashAfter(0, CrashPoint::kAfterwards);
  ASSERT_FALSE(files.Replace("/a", "new").ok());

  EXPECT_THAT(files.Read("/a", kNoLimit),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(files.MakeFolder("/b"), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(files.Remove("/a"), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_FALSE(files.Exists("/a"));
}

TEST(FakeFileSystemTest, CorruptsAByte) {
  FakeFileSystem files;
  ASSERT_THAT(files.Replace("/a", "abc"), IsOk());

  files.Corrupt("/a", 1);

  EXPECT_THAT(files.Read("/a", kNoLimit), IsOkAndHolds("a\x9D"
                                                       "c"));
}

}  // namespace
}  // namespace stagecoach

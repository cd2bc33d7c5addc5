#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kNoLimit = 1 << 20;

struct FileSystemBackend {
  std::string name;
  std::function<std::unique_ptr<FileSystem>()> make;
};

// What every FileSystem does, in a folder of its own.
class FileSystemContract : public testing::TestWithParam<FileSystemBackend> {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    ASSERT_THAT(files_->MakeFolder(folder_), IsOk());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string At(absl::string_view name) const {
    return absl::StrCat(folder_, "/", name);
  }

  const std::string folder_ =
      absl::StrCat(testing::TempDir(), "file_system_contract_", GetParam().name,
                   "_", getpid());
  const std::unique_ptr<FileSystem> files_ = GetParam().make();
};

TEST_P(FileSystemContract, ReadsBackWhatWasWritten) {
  const std::string contents("a\0b\n\xFF", 5);

  ASSERT_THAT(files_->Replace(At("a"), contents), IsOk());

  EXPECT_THAT(files_->Read(At("a"), kNoLimit), IsOkAndHolds(contents));
  EXPECT_TRUE(files_->Exists(At("a")));
}

TEST_P(FileSystemContract, ReplacesAFileThatExists) {
  ASSERT_THAT(files_->Replace(At("a"), "a long first text"), IsOk());

  ASSERT_THAT(files_->Replace(At("a"), ""), IsOk());

  EXPECT_THAT(files_->Read(At("a"), kNoLimit), IsOkAndHolds(""));
}

TEST_P(FileSystemContract, LeavesNoTemporaryFileBehind) {
  ASSERT_THAT(files_->Replace(At("a"), "text"), IsOk());

  int count = 0;
  if (GetParam().name == "Posix") {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      EXPECT_EQ(entry.path().filename(), "a");
      ++count;
    }
    EXPECT_EQ(count, 1);
  }
}

TEST_P(FileSystemContract, NamesAFileThatDoesNotExist) {
  EXPECT_THAT(files_->Read(At("none"), kNoLimit),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(At("none"))));
  EXPECT_FALSE(files_->Exists(At("none")));
}

TEST_P(FileSystemContract, NamesAFolderThatDoesNotExist) {
  EXPECT_THAT(files_->Replace(At("none/a"), "text"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(At("none/a"))));
}

TEST_P(FileSystemContract, DoesNotReadBeyondTheLimit) {
  ASSERT_THAT(files_->Replace(At("a"), "12345"), IsOk());

  EXPECT_THAT(files_->Read(At("a"), 5), IsOkAndHolds("12345"));
  EXPECT_THAT(files_->Read(At("a"), 4),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("longer than 4 bytes")));
}

TEST_P(FileSystemContract, DoesNotReadAFolder) {
  EXPECT_THAT(
      files_->Read(folder_, kNoLimit),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is a folder")));
}

TEST_P(FileSystemContract, MakesFoldersOnTheWay) {
  ASSERT_THAT(files_->MakeFolder(At("x/y/z")), IsOk());
  ASSERT_THAT(files_->MakeFolder(At("x/y/z")), IsOk());

  EXPECT_TRUE(files_->Exists(At("x/y")));
  EXPECT_THAT(files_->Replace(At("x/y/z/a"), "text"), IsOk());
}

TEST_P(FileSystemContract, MakesNoFolderWhereAFileIs) {
  ASSERT_THAT(files_->Replace(At("a"), "text"), IsOk());

  EXPECT_FALSE(files_->MakeFolder(At("a/b")).ok());
}

TEST_P(FileSystemContract, RemovesAFileOnce) {
  ASSERT_THAT(files_->Replace(At("a"), "text"), IsOk());

  EXPECT_THAT(files_->Remove(At("a")), IsOk());
  EXPECT_THAT(files_->Remove(At("a")), IsOk());

  EXPECT_FALSE(files_->Exists(At("a")));
}

INSTANTIATE_TEST_SUITE_P(
    All, FileSystemContract,
    testing::Values(
        FileSystemBackend{"Posix",
                          [] { return std::make_unique<PosixFileSystem>(); }},
        FileSystemBackend{"Fake",
                          [] { return std::make_unique<FakeFileSystem>(); }}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace stagecoach

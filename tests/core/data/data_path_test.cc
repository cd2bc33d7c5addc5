#include "core/data/data_path.h"

#include <filesystem>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"
#include "tests/support/temp_folder.h"

namespace stagecoach {
namespace {

namespace fs = std::filesystem;

TEST(DataPathTest, StartsAtTheRootUnlessItIsAbsolute) {
  EXPECT_THAT(DataPath("a/b", "/data", false), IsOkAndHolds("/data/a/b"));
  EXPECT_THAT(DataPath("/a/b", "/data", false), IsOkAndHolds("/a/b"));
  EXPECT_THAT(DataPath("a/b", "", false), IsOkAndHolds("a/b"));
}

TEST(DataPathTest, StaysBelowTheRootWhereItIsConfined) {
  const TempFolder folder;
  const fs::path root = folder.path() / "root";
  fs::create_directories(root / "sets");
  fs::create_directories(folder.path() / "root-too");
  fs::create_symlink(folder.path(), root / "out");
  fs::create_symlink(root / "sets", root / "in");
  const std::string here = root.string();

  EXPECT_THAT(DataPath("sets/f", here, true),
              IsOkAndHolds((root / "sets/f").string()));
  EXPECT_THAT(DataPath((root / "sets/f").string(), here, true),
              IsOkAndHolds((root / "sets/f").string()));
  EXPECT_THAT(DataPath("in/f", here, true),
              IsOkAndHolds((root / "sets/f").string()));
  for (const std::string& path :
       {std::string("../f"), std::string("sets/../../f"), std::string("/etc/f"),
        std::string("out/f"), (folder.path() / "root-too/f").string()}) {
    EXPECT_THAT(DataPath(path, here, true),
                StatusIs(absl::StatusCode::kPermissionDenied,
                         testing::HasSubstr("is outside the data root")))
        << path;
  }
}

TEST(DataPathTest, SaysWhenTheRootIsNotThere) {
  EXPECT_THAT(DataPath("f", "/nowhere/at/all", true),
              StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace stagecoach

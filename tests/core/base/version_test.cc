#include "core/base/version.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST(VersionTest, SaysWhichBuildThisIs) {
  const BuildInfo build = GetBuildInfo();

  EXPECT_THAT(std::string(build.version), MatchesRegex("[0-9]+\\.[0-9]+\\..*"));
  EXPECT_THAT(build.revision, Not(IsEmpty()));
  EXPECT_THAT(build.compiler, Not(IsEmpty()));
}

TEST(VersionTest, PutsAllThatMustBeEqualIntoTheId) {
  const BuildInfo build = GetBuildInfo();

  const std::string id = BuildId();

  EXPECT_THAT(id, HasSubstr(std::string(build.version)));
  EXPECT_THAT(id, HasSubstr(std::string(build.revision)));
  EXPECT_THAT(id, HasSubstr(std::string(build.compiler)));
  EXPECT_THAT(id, HasSubstr(std::string(build.build_type)));
}

}  // namespace
}  // namespace stagecoach

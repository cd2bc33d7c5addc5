#include "worker/memory_limit.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_file_system.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

TEST(MemoryLimitTest, IsNineTenthsOfTheMachine) {
  EXPECT_EQ(DefaultMemoryLimit(FakeFileSystem(), 1000), 900);
}

TEST(MemoryLimitTest, IsNineTenthsOfTheContainerWhereThatIsLess) {
  FakeFileSystem files;
  ASSERT_THAT(files.MakeFolder("/sys/fs/cgroup"), IsOk());
  ASSERT_THAT(files.Replace("/sys/fs/cgroup/memory.max", "500\n"), IsOk());

  EXPECT_EQ(DefaultMemoryLimit(files, 1000), 450);
}

TEST(MemoryLimitTest, TakesMaxForNoLimit) {
  FakeFileSystem files;
  ASSERT_THAT(files.MakeFolder("/sys/fs/cgroup"), IsOk());
  ASSERT_THAT(files.Replace("/sys/fs/cgroup/memory.max", "max\n"), IsOk());

  EXPECT_EQ(DefaultMemoryLimit(files, 1000), 900);
}

}  // namespace
}  // namespace stagecoach

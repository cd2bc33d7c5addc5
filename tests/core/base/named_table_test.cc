#include "core/base/named_table.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::Pointee;

TEST(NamedTableTest, FindsWhatItsNamesStandFor) {
  const NamedTable<int> table = {{"two", 2}, {"one", 1}};

  EXPECT_THAT(table.Find("one"), Pointee(1));
  EXPECT_THAT(table.Find("two"), Pointee(2));
  EXPECT_EQ(table.Find("three"), nullptr);
}

TEST(NamedTableTest, KeepsTheOrderWritten) {
  const NamedTable<int> table = {{"two", 2}, {"one", 1}};

  EXPECT_THAT(table.Names(), ElementsAre("two", "one"));
}

}  // namespace
}  // namespace stagecoach

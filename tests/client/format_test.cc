#include "client/format.h"

#include "client/table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;

TEST(FormatTest, WritesSharesAsPercent) {
  EXPECT_EQ(Percent(0.873), "87 %");
  EXPECT_EQ(Percent(0.87125, 2), "87.12 %");
}

TEST(FormatTest, WritesBytesInUnitsOfAThousand) {
  EXPECT_EQ(Bytes(999), "999 bytes");
  EXPECT_EQ(Bytes(12'345'678), "12.3 MB");
}

TEST(FormatTest, WritesDurationsAsMinutesAndHours) {
  EXPECT_EQ(Minutes(absl::Seconds(123)), "02:03");
  EXPECT_EQ(Minutes(absl::Seconds(3723)), "1:02:03");
  EXPECT_EQ(Minutes(absl::Seconds(-5)), "00:00");
}

TEST(FormatTest, GroupsDigitsByThousands) {
  EXPECT_EQ(Count(123), "123");
  EXPECT_EQ(Count(1'234'567), "1,234,567");
  EXPECT_EQ(Count(-123'456), "-123,456");
}

TEST(FormatTest, CutsWhatDoesNotFit) {
  EXPECT_EQ(Left("ab", 4), "ab  ");
  EXPECT_EQ(Right("ab", 4), "  ab");
  EXPECT_EQ(Left("abcdef", 4), "abc~");
}

TEST(FormatTest, AlignsTheColumnsOfATable) {
  EXPECT_THAT(TableLines({{"job", "state"}, {"job-10", "running"}}),
              ElementsAre("job     state", "job-10  running"));
}

TEST(FormatTest, WrapsAtSpaces) {
  EXPECT_THAT(Wrapped("needs 2 slots", 20), ElementsAre("needs 2 slots"));
  EXPECT_THAT(Wrapped("needs 2 slots", 7), ElementsAre("needs 2", "slots"));
  EXPECT_THAT(Wrapped("needs 2 slots", 8), ElementsAre("needs 2", "slots"));
  EXPECT_THAT(Wrapped("indivisible", 4), ElementsAre("indi", "visi", "ble"));
  EXPECT_THAT(Wrapped("", 4), ElementsAre(""));
}

}  // namespace
}  // namespace stagecoach

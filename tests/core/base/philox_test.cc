#include "core/base/philox.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;

// The known answers that come with Random123, for philox4x32 with 10 rounds.
TEST(PhiloxTest, GivesThePublishedAnswers) {
  EXPECT_THAT(Philox({0, 0}, {0, 0, 0, 0}),
              ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_THAT(Philox({0xffffffff, 0xffffffff},
                     {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(Philox({0xa4093822, 0x299f31d0},
                     {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(PhiloxTest, DerivesAKeyForEachPurposeFromBothHalvesOfTheSeed) {
  // docs/definitions.md, section 1, word by word.
  const PhiloxWords words = Philox({0x00000001, 0x00000002}, {3, 0, 0, 0});

  EXPECT_THAT(StreamKey(0x00000002'00000001, StreamPurpose::kAugmentation),
              ElementsAre(words[0], words[1]));
  EXPECT_NE(StreamKey(1, StreamPurpose::kDataOrder),
            StreamKey(1, StreamPurpose::kInitialWeights));
}

TEST(PhiloxTest, ScalesAWordToABound) {
  EXPECT_EQ(Below(0, 7), 0u);
  EXPECT_EQ(Below(0xffffffff, 7), 6u);
  EXPECT_EQ(Below(0x80000000, 10), 5u);
  EXPECT_EQ(Below(0xffffffff, 1), 0u);
  EXPECT_EQ(Below(0x7fffffff, 2), 0u);
  EXPECT_EQ(Below(0xffffffff, 0x7fffffff), 0x7ffffffeu);
}

}  // namespace
}  // namespace stagecoach

#include "core/base/suggest.h"

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(NearestNameTest, ForgivesOneSlip) {
  const std::vector<std::string> known = {"dsp", "bp", "momentum", "stages"};
  EXPECT_EQ(NearestName("dps", known), "dsp");  // two letters swapped
  EXPECT_EQ(NearestName("dspp", known), "dsp");
  EXPECT_EQ(NearestName("momentun", known), "momentum");
  EXPECT_EQ(NearestName("stage", known), "stages");
  EXPECT_EQ(NearestName("satges", known), "stages");
}

TEST(NearestNameTest, GuessesNothingFarAway) {
  EXPECT_EQ(NearestName("pipedream", {"dsp", "bp"}), "");
  EXPECT_EQ(NearestName("", {"dsp"}), "");
  EXPECT_EQ(NearestName("dsp", {}), "");
}

TEST(SuggestionTest, NamesTheNearestOrAll) {
  EXPECT_EQ(Suggestion("sdg", {"sgd"}), "; did you mean 'sgd'?");
  EXPECT_EQ(Suggestion("adam", {"sgd", "lion"}), "; known: sgd, lion");
}

}  // namespace
}  // namespace stagecoach

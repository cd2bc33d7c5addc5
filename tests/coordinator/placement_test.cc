#include "coordinator/placement.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const WorkerName a("a"), b("b"), c("c");

TEST(PlacementTest, GivesEachWorkerOneStageWhileThereAreEnough) {
  EXPECT_THAT(Place(2, {{c, 4}, {a, 4}, {b, 4}}), ElementsAre(a, b));
}

TEST(PlacementTest, PutsConsecutiveStagesTogether) {
  EXPECT_THAT(Place(4, {{a, 2}, {b, 2}}), ElementsAre(a, a, b, b));
  EXPECT_THAT(Place(3, {{a, 2}, {b, 2}}), ElementsAre(a, a, b));
}

TEST(PlacementTest, SpreadsAsEvenlyAsSlotsAllow) {
  EXPECT_THAT(Place(5, {{a, 1}, {b, 4}}), ElementsAre(a, b, b, b, b));
  EXPECT_THAT(Place(4, {{a, 8}, {b, 8}}), ElementsAre(a, a, b, b));
}

TEST(PlacementTest, PlacesAllStagesOnOneWorkerWithTheSlots) {
  EXPECT_THAT(Place(3, {{a, 3}}), ElementsAre(a, a, a));
}

TEST(PlacementTest, PlacesNothingWhereSlotsDoNotSuffice) {
  EXPECT_THAT(Place(3, {{a, 1}, {b, 1}}), IsEmpty());
  EXPECT_THAT(Place(1, {}), IsEmpty());
}

TEST(PlacementTest, NeverMixesBuilds) {
  EXPECT_THAT(Place(2, {{a, 1, "old"}, {b, 1, "new"}}), IsEmpty());
  EXPECT_THAT(Place(2, {{a, 1, "old"}, {b, 1, "new"}, {c, 1, "old"}}),
              ElementsAre(a, c));
}

}  // namespace
}  // namespace stagecoach

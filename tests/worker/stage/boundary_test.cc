#include "worker/stage/boundary.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/small_job.h"
#include "tests/support/status_matchers.h"
#include "worker/transport/link_spec.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;

LinkSpec SpecOf(const ResolvedJob& job, int lower) {
  return LinkSpecOf(job, JobId("job-1"), Generation(2), StageIndex(lower));
}

TEST(BoundaryTest, RoomForItemsFollowsFromTheWindows) {
  const auto job = Resolved(SmallMlp({1, 2}, {5, 2, 0}));

  const LinkSpec low = SpecOf(*job, 0);
  const LinkSpec high = SpecOf(*job, 1);

  EXPECT_THAT(low.upward_items, ElementsAre(4, 2));
  EXPECT_THAT(low.downward_items, ElementsAre(4, 0));
  EXPECT_THAT(high.upward_items, ElementsAre(3, 2));
  EXPECT_THAT(high.downward_items, ElementsAre(3, 0));
  EXPECT_THAT(Validate(low), IsOk());
}

TEST(BoundaryTest, ALinkHasRoomForTheLargestStaleness) {
  const auto job = Resolved(SmallMlp({1}, {4096, 0}));

  EXPECT_THAT(Validate(SpecOf(*job, 0)), IsOk());
}

TEST(BoundaryTest, AnItemIsOneBatchWithItsTargets) {
  const auto job = Resolved(SmallMlp({1}, {1, 0}));

  const LinkSpec spec = SpecOf(*job, 0);

  EXPECT_EQ(spec.boundary_digest, "float32 8x16 with gradient; int64 8");
  EXPECT_EQ(spec.max_item_bytes, 8 * 16 * 4 + 8 * 8);
}

TEST(BoundaryTest, ImagesLieChannelsLastWhereTheJobSaysSo) {
  const auto job = Resolved(SmallResNet({1}, {1, 0}));
  ASSERT_TRUE(job->channels_last);

  EXPECT_EQ(BoundaryType(*job, StageIndex(0), 5),
            (TensorType{.dtype = DataType::kFloat32,
                        .shape = {5, 4, 8, 8},
                        .order = {0, 2, 3, 1}}));
  EXPECT_EQ(SpecOf(*job, 0).boundary_digest,
            "float32 8x4x8x8 order 0,2,3,1 with gradient; int64 8");
}

TEST(BoundaryTest, TheLastItemOfAnEpochAndOfAnEvaluationIsTheRest) {
  const auto job = Resolved(SmallMlp({}));

  EXPECT_EQ(SamplesOf(*job, Lane::kTraining, ItemId(4)), 8);
  EXPECT_EQ(SamplesOf(*job, Lane::kTraining, ItemId(5)), 4);
  EXPECT_EQ(SamplesOf(*job, Lane::kTraining, ItemId(6)), 8);
  EXPECT_EQ(SamplesOf(*job, Lane::kTraining, ItemId(11)), 4);
  EXPECT_EQ(SamplesOf(*job, Lane::kEvaluation, ItemId(1)), 8);
  EXPECT_EQ(SamplesOf(*job, Lane::kEvaluation, ItemId(2)), 4);
}

}  // namespace
}  // namespace stagecoach

#include "worker/transport/link_spec.h"

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/link_maker.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// SampleLinkSpec() after `change`.
LinkSpec With(const std::function<void(LinkSpec&)>& change) {
  LinkSpec spec = SampleLinkSpec();
  change(spec);
  return spec;
}

TEST(LinkSpecTest, FindsTheRoomByDirectionAndLane) {
  const LinkSpec spec = With([](LinkSpec& spec) {
    spec.upward_items = {1, 2};
    spec.downward_items = {3, 4};
  });

  EXPECT_EQ(ItemsOf(spec, Direction::kUpward, Lane::kTraining), 1);
  EXPECT_EQ(ItemsOf(spec, Direction::kUpward, Lane::kEvaluation), 2);
  EXPECT_EQ(ItemsOf(spec, Direction::kDownward, Lane::kTraining), 3);
  EXPECT_EQ(ItemsOf(spec, Direction::kDownward, Lane::kEvaluation), 4);
}

TEST(LinkSpecTest, AcceptsASpecThatIsComplete) {
  EXPECT_THAT(Validate(SampleLinkSpec()), IsOk());
}

TEST(LinkSpecTest, RefusesEveryFieldOutOfRange) {
  for (const LinkSpec& bad : {
           With([](LinkSpec& spec) { spec.job = JobId(); }),
           With(
               [](LinkSpec& spec) { spec.job = JobId(std::string(257, 'j')); }),
           With([](LinkSpec& spec) { spec.lower = StageIndex(-1); }),
           With([](LinkSpec& spec) { spec.generation = Generation(-1); }),
           With([](LinkSpec& spec) { spec.boundary_digest.clear(); }),
           With([](LinkSpec& spec) { spec.boundary_digest.resize(5000); }),
           With([](LinkSpec& spec) { spec.upward_items[1] = -1; }),
           With([](LinkSpec& spec) { spec.downward_items[0] = 5000; }),
           With([](LinkSpec& spec) { spec.max_item_bytes = -1; }),
           With([](LinkSpec& spec) { spec.max_item_bytes = INT64_MAX; }),
       }) {
    EXPECT_THAT(Validate(bad), StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(LinkSpecTest, TakesAnEqualOffer) {
  EXPECT_THAT(CheckOffer(SampleLinkSpec(), SampleLinkSpec()), IsOk());
}

TEST(LinkSpecTest, DoesNotKnowOtherStages) {
  EXPECT_THAT(CheckOffer(SampleLinkSpec(), With([](LinkSpec& spec) {
                           spec.lower = StageIndex(1);
                         })),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(CheckOffer(SampleLinkSpec(), With([](LinkSpec& spec) {
                           spec.job = JobId("another");
                         })),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST(LinkSpecTest, TellsOlderGenerationsFromNewerOnes) {
  EXPECT_THAT(CheckOffer(SampleLinkSpec(), With([](LinkSpec& spec) {
                           spec.generation = Generation(2);
                         })),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "generation 2 of job job is over; 3 is expected here"));
  EXPECT_THAT(CheckOffer(SampleLinkSpec(), With([](LinkSpec& spec) {
                           spec.generation = Generation(4);
                         })),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("is not expected here yet")));
}

TEST(LinkSpecTest, GivesBothSidesOfADisagreement) {
  EXPECT_THAT(
      CheckOffer(SampleLinkSpec(), With([](LinkSpec& spec) {
                   spec.boundary_digest = "float32 8";
                 })),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "stages 0 and 1 of job job disagree about the tensors between "
               "them: the upper one has [float32 16 with gradient], the lower "
               "one [float32 8]"));
  EXPECT_THAT(CheckOffer(SampleLinkSpec(), With([](LinkSpec& spec) {
                           spec.upward_items = {1, 2};
                         })),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("training upward 4"),
                             HasSubstr("training upward 1"))));
  EXPECT_THAT(CheckOffer(SampleLinkSpec(),
                         With([](LinkSpec& spec) { spec.max_item_bytes = 7; })),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("[67108864], the lower one [7]")));
}

TEST(LinkSpecTest, ChecksFramesAgainstTheSpec) {
  const LinkSpec spec = SampleLinkSpec();
  Frame negative = SampleFrame(-1);
  Frame samples = SampleFrame(0);
  samples.samples = -1;
  Frame rank = SampleFrame(0);
  rank.tensors[0].type.shape.resize(17, 1);
  Frame many = SampleFrame(0);
  many.tensors.resize(65, many.tensors[0]);

  EXPECT_THAT(CheckFrame(spec, Direction::kUpward, SampleFrame(0)), IsOk());
  for (const Frame& bad : {negative, samples, rank, many}) {
    EXPECT_THAT(CheckFrame(spec, Direction::kUpward, bad),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

}  // namespace
}  // namespace stagecoach

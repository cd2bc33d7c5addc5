#include "core/method/dsp.h"

#include "core/base/field_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;

absl::StatusOr<std::vector<StageMethod>> StagesOf(const char* json,
                                                  int num_stages) {
  const absl::StatusOr<Value> parameters =
      Resolve(DspMethod().declaration(), Value::parse(json));
  if (!parameters.ok()) return parameters.status();
  return DspMethod().Stages(*parameters, num_stages);
}

TEST(DspTest, HasOneOfSlackInEveryQueueUnlessTold) {
  EXPECT_THAT(StagesOf("{}", 3), IsOkAndHolds(ElementsAre(
                                     StageMethod{4, true}, StageMethod{2, true},
                                     StageMethod{0, false})));
  EXPECT_FALSE(DspMethod().synchronous());
}

TEST(DspTest, MultipliesTheQueuesBySlack) {
  EXPECT_THAT(
      StagesOf(R"({"slack": 3})", 3),
      IsOkAndHolds(ElementsAre(StageMethod{12, true}, StageMethod{6, true},
                               StageMethod{0, false})));
  EXPECT_THAT(
      StagesOf(R"({"slack": 0})", 2),
      IsOkAndHolds(ElementsAre(StageMethod{0, false}, StageMethod{0, false})));
}

TEST(DspTest, TakesStalenessByStage) {
  SC_ASSERT_OK_AND_ASSIGN(const std::vector<StageMethod> stages,
                          StagesOf(R"({"staleness": [6, 3, 3, 0],
                   "activation_queues": [3, 0, 1, 0]})",
                                   4));

  EXPECT_THAT(stages, ElementsAre(StageMethod{6, true}, StageMethod{3, true},
                                  StageMethod{3, true}, StageMethod{0, false}));
  EXPECT_EQ(LinkItems(stages, 0), 4);
  EXPECT_EQ(LinkItems(stages, 1), 1);
  EXPECT_EQ(LinkItems(stages, 2), 4);
}

struct BadStaleness {
  const char* parameters;
  const char* field;
  const char* message;
};

TEST(DspTest, SaysWhichLinkBreaksWhichRule) {
  const BadStaleness cases[] = {
      {R"({"staleness": [2, 3, 0]})", "staleness[1]",
       "staleness must not rise along the pipeline: stage 1 has 3, stage 0 has "
       "2; e.g. [3, 3, 0]"},
      {R"({"staleness": [3, 2, 1]})", "staleness[2]",
       "the last stage must have staleness 0, not 1: it waits for no gradient; "
       "e.g. [3, 2, 0]"},
      {R"({"staleness": [2, 0]})", "staleness",
       "has 2 values for 3 stages; one for each stage, e.g. [4, 2, 0]"},
      {R"({"staleness": []})", "staleness",
       "has 0 values for 3 stages; one for each stage, e.g. [4, 2, 0]"},
      {R"({"staleness": [4, 2, 0], "activation_queues": [2, 0]})",
       "activation_queues",
       "has 2 values for 3 stages; one for each stage, the last 0"},
      {R"({"staleness": [4, 2, 0], "activation_queues": [2, 3, 0]})",
       "activation_queues[1]",
       "the link between stages 1 and 2 has room for 2 - 0 = 2 in both queues, "
       "not for 3; at most 2"},
      {R"({"staleness": [4, 2, 0], "activation_queues": [2, 2, 1]})",
       "activation_queues[2]",
       "the last stage must have 0, not 1: no stage follows it"},
      {R"({"activation_queues": [1, 1, 0]})", "activation_queues",
       "means nothing without staleness; give both or leave it out"},
      {R"({"slack": 1, "staleness": [4, 2, 0]})", "slack",
       "cannot stand beside staleness, which says the same; leave one out"},
      {R"({"staleness": [4, -2, 0]})", "staleness[1]",
       "must be at least 0 and at most 4096, not -2"},
      {R"({"slack": -1})", "slack",
       "must be at least 0 and at most 32, not -1; e.g. 1"},
  };
  for (const BadStaleness& bad : cases) {
    const auto stages = StagesOf(bad.parameters, 3);

    EXPECT_THAT(stages,
                StatusIs(absl::StatusCode::kInvalidArgument, bad.message));
    EXPECT_EQ(FieldOf(stages.status()), bad.field);
  }
}

}  // namespace
}  // namespace stagecoach

#include "coordinator/preflight.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/coordinator/small_job.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::HasSubstr;

class PreflightTest : public testing::Test {
 protected:
  void SetUp() override {
    SC_ASSERT_OK_AND_ASSIGN(spec_, ResolveSpec(SmallJob()));
    SC_ASSERT_OK_AND_ASSIGN(job_, ResolveJob(spec_, SmallFacts()));
  }

  std::vector<const Hello*> workers() const { return {&left_, &right_}; }

  JobSpec spec_;
  ResolvedJob job_;
  Hello left_ = HelloOf("left");
  Hello right_ = HelloOf("right");
};

TEST_F(PreflightTest, AcceptsWorkersThatKnowTheJob) {
  EXPECT_EQ(CheckNames(spec_, workers()), std::nullopt);
  EXPECT_EQ(CheckStages(job_, workers()), std::nullopt);
}

TEST_F(PreflightTest, NamesWhatAWorkerDoesNotKnow) {
  right_.registries["method"] = {"bp"};

  const auto cause = CheckNames(spec_, workers());

  ASSERT_TRUE(cause.has_value());
  EXPECT_EQ(cause->kind, "invalid");
  EXPECT_EQ(cause->stage, 1);
  EXPECT_EQ(cause->text,
            "method \"dsp\" is not built into worker right; known: bp");
}

TEST_F(PreflightTest, NeedsTheDataOnlyWhereItIsRead) {
  right_.registries["data"] = {};
  EXPECT_EQ(CheckNames(spec_, workers()), std::nullopt);

  left_.registries["data"] = {};
  EXPECT_NE(CheckNames(spec_, workers()), std::nullopt);
}

TEST_F(PreflightTest, NeedsOnlyTheLayersOfTheStage) {
  const std::vector<std::string> without_flatten = {"linear", "relu",
                                                    "sequence"};
  right_.registries["layer"] = without_flatten;
  EXPECT_EQ(CheckStages(job_, workers()), std::nullopt);

  left_.registries["layer"] = without_flatten;
  EXPECT_THAT(CheckStages(job_, workers())->text,
              HasSubstr("layer \"flatten\" is not built into worker left"));
}

TEST_F(PreflightTest, RefusesWorkersOfDifferentBuilds) {
  right_.build = "another";

  EXPECT_THAT(CheckNames(spec_, workers())->text,
              HasSubstr("worker right is of build another"));
}

TEST_F(PreflightTest, RefusesADeviceThatAWorkerLacks) {
  spec_.resources.device = "cuda";

  EXPECT_THAT(CheckNames(spec_, workers())->text,
              HasSubstr("resources.device: cuda: worker left has cpu"));
}

TEST_F(PreflightTest, RefusesStagesThatDoNotFitTheMemory) {
  right_.memory_bytes = MemoryOf(job_, 1).total() - 1;

  const auto cause = CheckStages(job_, workers());

  ASSERT_TRUE(cause.has_value());
  EXPECT_EQ(cause->kind, "memory");
  EXPECT_EQ(cause->stage, 1);
  EXPECT_THAT(cause->text, HasSubstr("--memory-limit"));
}

TEST_F(PreflightTest, AddsUpTheStagesOfOneWorker) {
  const std::vector<const Hello*> both_on_left = {&left_, &left_};
  left_.memory_bytes = MemoryOf(job_, 0).total() + MemoryOf(job_, 1).total();
  EXPECT_EQ(CheckStages(job_, both_on_left), std::nullopt);

  --left_.memory_bytes;
  EXPECT_NE(CheckStages(job_, both_on_left), std::nullopt);
}

}  // namespace
}  // namespace stagecoach

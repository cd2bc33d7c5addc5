#include "worker/stage/cause.h"

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(CauseTest, NamesStageStepAndItem) {
  const Cause cause = CauseOf(absl::DataLossError("the loss is not finite"),
                              StageIndex(2), /*version=*/17);

  EXPECT_EQ(cause, (Cause{.kind = "non_finite",
                          .stage = 2,
                          .step = 17,
                          .item = 17,
                          .text = "the loss is not finite"}));
}

TEST(CauseTest, TellsLinksContractsTorchAndMemoryApart) {
  const auto kind = [](const absl::Status& error) {
    return CauseOf(error, StageIndex(0), 0).kind;
  };

  EXPECT_EQ(kind(absl::UnavailableError("")), "link_lost");
  EXPECT_EQ(kind(absl::InternalError("")), "contract");
  EXPECT_EQ(kind(absl::UnknownError("")), "torch");
  EXPECT_EQ(kind(absl::ResourceExhaustedError("")), "memory");
}

}  // namespace
}  // namespace stagecoach

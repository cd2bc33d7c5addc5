#include "core/resolve/resolved_job.h"
#include "gtest/gtest.h"
#include "tests/core/resolve/specs.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

// Two linear layers, 784 -> 20 -> 10, cut between them, m = (2, 0): the link
// has room for three items each way.
TEST(MemoryOfTest, CountsWhatEachStageKeeps) {
  JobSpec spec = SmallSpec();
  spec.model = {.name = "mlp", .parameters = {{"sizes", {784, 20, 10}}}};
  spec.data.batch_size = 100;
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob job,
                          ResolveJob(spec, SmallFacts()));

  const StageMemory first = MemoryOf(job, 0);
  const int64_t first_weights = 4 * (784 * 20 + 20);
  EXPECT_EQ(first.weights, 2 * first_weights);
  EXPECT_EQ(first.optimizer, first_weights);
  EXPECT_EQ(first.buffers, 0);
  EXPECT_EQ(first.inputs, 3 * 100 * (4 * 784 + 8));
  EXPECT_EQ(first.links, 3 * 100 * (4 * 20 + 8));
  const StageMemory last = MemoryOf(job, 1);
  EXPECT_EQ(last.inputs, 1 * 100 * (4 * 20 + 8));
  EXPECT_EQ(last.links, (3 + 2) * 100 * (4 * 20 + 8));
  EXPECT_EQ(last.total(), last.weights + last.optimizer + last.inputs +
                              last.buffers + last.links);
}

TEST(MemoryOfTest, CountsBuffersAndLeavesOutAbsentMomentum) {
  JobSpec spec = SmallSpec();
  spec.stages = 1;
  spec.optimizer.parameters = {{"momentum", 0}};
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob job,
                          ResolveJob(spec, SmallFacts()));

  const StageMemory memory = MemoryOf(job, 0);

  // Channels normalised: 4; 4, 4; 8, 8, 8; 16, 16, 16. Two buffers each.
  EXPECT_EQ(memory.buffers, 4 * 2 * (4 + 8 + 24 + 48));
  EXPECT_EQ(memory.optimizer, 0);
  EXPECT_EQ(memory.links, 0);
}

// A worker may say anything of its data: too much is much, never little.
TEST(MemoryOfTest, DoesNotOverflow) {
  JobSpec spec = SmallSpec();
  spec.method.parameters = {{"staleness", {4096, 0}}};
  spec.data.batch_size = 16777216;
  DataFacts facts = SmallFacts();
  facts.sample = {1, 1 << 17, 1 << 17};
  facts.train_samples = int64_t{1} << 40;
  SC_ASSERT_OK_AND_ASSIGN(const ResolvedJob job, ResolveJob(spec, facts));

  for (int stage = 0; stage < 2; ++stage) {
    EXPECT_GT(MemoryOf(job, stage).total(), int64_t{1} << 50);
    EXPECT_LT(MemoryOf(job, stage).total(), int64_t{1} << 57);
  }
}

}  // namespace
}  // namespace stagecoach

#include "tests/oracle/oracle.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/oracle/small_jobs.h"
#include "tests/oracle/streams.h"

namespace stagecoach::oracle {
namespace {

using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::SizeIs;

constexpr at::MemoryFormat kFormats[] = {at::MemoryFormat::ChannelsLast,
                                         at::MemoryFormat::Contiguous};

OracleJob Bp(OracleJob job, std::vector<int64_t> cuts) {
  job.cuts = std::move(cuts);
  job.bp = true;
  return job;
}

OracleJob Dsp(OracleJob job, std::vector<int64_t> cuts,
              std::vector<int64_t> staleness) {
  job.cuts = std::move(cuts);
  job.staleness = std::move(staleness);
  return job;
}

double LossOver(const OracleResult& result, size_t first, size_t end) {
  double sum = 0;
  for (size_t i = first; i < end; ++i) sum += result.loss_sums[i];
  return sum;
}

// The multi-layer perceptron of SmallMlp trained as a textbook does it, with
// torch's own arithmetic for the update.
Tensors TextbookMlp(const OracleJob& job) {
  at::set_num_threads(1);
  Tensors w = InitialTensors(SpecsOf(job.units), job.seed, job.format);
  Tensors v;
  for (auto& [name, tensor] : w) {
    tensor.requires_grad_(true);
    v[name] = at::zeros_like(tensor);
  }
  for (int64_t item = 0; item < ItemsOf(job); ++item) {
    const int64_t epoch = item / BatchesOf(job);
    const auto order = OrderOf(job.seed, job.training.samples(), epoch);
    const auto first = order.begin() + item % BatchesOf(job) * job.batch_size;
    const auto end = std::min(first + job.batch_size, order.end());
    const Batch batch =
        MakeBatch(job.training, job.normalisation, {first, end}, {}, job.seed,
                  epoch, at::MemoryFormat::Contiguous);
    at::Tensor h = batch.inputs.flatten(1);
    h = at::relu(at::linear(h, w["linear0.weight"], w["linear0.bias"]));
    h = at::relu(at::linear(h, w["linear1.weight"], w["linear1.bias"]));
    h = at::linear(h, w["linear2.weight"], w["linear2.bias"]);
    const at::Tensor sum =
        at::cross_entropy_loss(h, batch.targets, {}, at::Reduction::Sum);
    (sum / static_cast<double>(batch.targets.size(0))).backward();
    const double a = RateAt(job.rate, item, ItemsOf(job));
    const at::NoGradGuard no_graph;
    for (auto& [name, tensor] : w) {
      v[name]
          .mul_(static_cast<double>(job.optimizer.momentum))
          .add_(tensor.grad());
      tensor.add_(v[name], -a);
      tensor.mutable_grad().reset();
    }
  }
  return w;
}

TEST(OracleTest, OneStageIsPlainStochasticGradientDescent) {
  const OracleJob job = SmallMlp();

  const OracleResult dsp = RunOracle(job);
  const OracleResult bp = RunOracle(Bp(job, {}));
  const Tensors textbook = TextbookMlp(job);

  EXPECT_EQ(dsp.weights_digest, bp.weights_digest);
  for (const auto& [name, tensor] : textbook) {
    EXPECT_TRUE(at::equal(tensor, dsp.tensors.at(name))) << name;
  }
}

TEST(OracleTest, WithoutStalenessDspIsBpWhateverTheCut) {
  for (const at::MemoryFormat format : kFormats) {
    OracleJob job = SmallResNet();
    job.format = format;
    const OracleResult expected = RunOracle(Bp(job, {}));
    for (const std::vector<int64_t>& cuts : std::vector<std::vector<int64_t>>{
             {}, {1}, {2}, {3}, {4}, {1, 2, 3, 4}}) {
      const std::vector<int64_t> zeros(cuts.size() + 1, 0);
      const OracleResult dsp = RunOracle(Dsp(job, cuts, zeros));
      const OracleResult bp = RunOracle(Bp(job, cuts));
      EXPECT_EQ(dsp.digest_lines, bp.digest_lines) << cuts;
      EXPECT_EQ(dsp.digest_lines, expected.digest_lines) << cuts;
      EXPECT_EQ(dsp.loss_sums, expected.loss_sums) << cuts;
    }
  }
}

TEST(OracleTest, StalenessChangesTheBits) {
  std::set<std::string> digests;
  for (const std::vector<int64_t>& staleness :
       std::vector<std::vector<int64_t>>{
           {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {2, 1, 0}, {4, 2, 0}}) {
    digests.insert(
        RunOracle(Dsp(SmallMlp(), {1, 2}, staleness)).weights_digest);
  }
  EXPECT_THAT(digests, SizeIs(5));
}

TEST(OracleTest, TheLastStagesBatchesAreThoseOfTheJob) {
  const OracleResult result = RunOracle(Dsp(SmallMlp(), {1}, {2, 0}));

  EXPECT_THAT(result.loss_sums, SizeIs(14));  // 2 epochs of 7 batches
  EXPECT_THAT(result.evaluations, SizeIs(2));
  EXPECT_EQ(result.evaluations[0].version, 7);
  EXPECT_EQ(result.evaluations[1].version, 14);
  EXPECT_EQ(result.evaluations[1].samples, 40);
}

TEST(OracleTest, StalenessOfItemJIsTheSmallerOfJAndM) {
  OracleJob job = Dsp(SmallMlp(), {1, 2}, {4, 2, 0});
  job.training = SyntheticImages(96, 4, 3, 2);
  job.epochs = 1;

  const OracleResult result = RunOracle(job);

  EXPECT_THAT(result.staleness, ElementsAre(ElementsAre(0, 1, 2, 3, 4, 4),
                                            ElementsAre(0, 1, 2, 2, 2, 2),
                                            ElementsAre(0, 0, 0, 0, 0, 0)));
}

TEST(OracleTest, EvaluationLeavesTheTrajectoryAlone) {
  OracleJob job = Dsp(SmallResNet(), {2}, {2, 0});
  const OracleResult with = RunOracle(job);
  job.test = {};
  const OracleResult without = RunOracle(job);
  EXPECT_EQ(with.digest_lines, without.digest_lines);
}

TEST(OracleTest, AJobLearnsByEveryUpdateRule) {
  using Kind = Optimizer::Kind;
  const std::pair<Optimizer, double> rules[] = {
      {{Kind::kHeavyBall, 0.9f}, 0.02},
      {{Kind::kHeavyBall}, 0.1},
      {{Kind::kNesterov, 0.9f, 1, 5e-4f}, 0.02},
      {{Kind::kSum, 0.9f, 5, 5e-4f}, 0.02}};
  for (const auto& [optimizer, base] : rules) {
    for (OracleJob job :
         {Dsp(SmallMlp(), {1}, {1, 0}), Dsp(SmallResNet(), {2}, {1, 0})}) {
      job.optimizer = optimizer;
      job.rate.base = base;
      job.epochs = 10;

      const OracleResult result = RunOracle(job);

      EXPECT_LT(LossOver(result, 63, 70), 0.5 * LossOver(result, 0, 7));
      EXPECT_THAT(result.evaluations.back().correct, Gt(30));
    }
  }
}

TEST(OracleTest, PassesWithAndWithoutAGraphGiveTheSameBits) {
  for (const at::MemoryFormat format : kFormats) {
    for (const OracleJob& job : {SmallMlp(), SmallResNet()}) {
      const Tensors tensors =
          InitialTensors(SpecsOf(job.units), job.seed, format);
      const Batch batch = MakeBatch(job.training, job.normalisation,
                                    {4, 8, 15, 16, 23}, {}, 1, 0, format);
      at::Tensor input = batch.inputs;
      for (const Unit& unit : job.units) {
        Tensors leaves;
        for (const auto& [name, tensor] : tensors) {
          const bool is_buffer = name.find("running") != std::string::npos;
          leaves[name] = tensor.detach().requires_grad_(!is_buffer);
        }
        Tensors statistics;
        const at::Tensor with = Apply(unit, input.detach().requires_grad_(true),
                                      leaves, Pass::kRecord, &statistics);
        const at::NoGradGuard no_graph;
        const at::Tensor without =
            Apply(unit, input, tensors, Pass::kForward, nullptr);
        EXPECT_TRUE(at::equal(with, without));
        input = without;
      }
    }
  }
}

// The start of a tensor of a stage may lie anywhere in the memory of a larger
// one.
TEST(OracleTest, PlaceInMemoryDoesNotChangeTheBits) {
  const OracleJob job = SmallResNet();
  const Tensors tensors =
      InitialTensors(SpecsOf(job.units), job.seed, job.format);
  Tensors moved;
  int64_t offset = 1;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor room = at::empty({tensor.numel() + offset}, at::kFloat);
    moved[name] = room.as_strided(tensor.sizes(), tensor.strides(), offset);
    moved[name].copy_(tensor);
    offset = offset % 15 + 1;
  }
  const Batch batch = MakeBatch(job.training, job.normalisation,
                                {4, 8, 15, 16, 23}, {}, 1, 0, job.format);
  at::Tensor expected = batch.inputs;
  at::Tensor actual = batch.inputs;
  for (const Unit& unit : job.units) {
    expected = Apply(unit, expected, tensors, Pass::kForward, nullptr);
    actual = Apply(unit, actual, moved, Pass::kForward, nullptr);
  }
  EXPECT_TRUE(at::equal(expected, actual));
}

}  // namespace
}  // namespace stagecoach::oracle

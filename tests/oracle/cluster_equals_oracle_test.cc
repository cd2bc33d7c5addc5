#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/delays.h"
#include "tests/oracle/fashion_mnist.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/twin.h"
#include "tests/support/status_matchers.h"
#include "worker/in_process_run.h"
#include "worker/stage/torch_stage.h"

namespace stagecoach {
namespace {

using oracle::OracleResult;
using ::testing::SizeIs;

using Cuts = std::vector<int64_t>;
using Numbers = std::vector<int64_t>;
using Kind = oracle::Optimizer::Kind;

struct RunOptions {
  bool evaluate = true;
  uint32_t delays = 0;  // seed of the delays; 0: none
};

InProcessResult RunCluster(const Twin& twin, const RunOptions& run = {}) {
  InProcessOptions options = {.data = DataOf(twin), .evaluate = run.evaluate};
  absl::StatusOr<ResolvedJob> job =
      ResolveJob(twin.spec, options.data->facts());
  EXPECT_THAT(job, IsOk());
  if (!job.ok()) return {};
  options.job = std::make_shared<const ResolvedJob>(*std::move(job));
  std::vector<std::unique_ptr<DelayingObserver>> observers;
  if (run.delays > 0) {
    for (int k = 0; k < options.job->num_stages(); ++k) {
      observers.push_back(std::make_unique<DelayingObserver>(run.delays + k));
    }
    options.observer = [&](StageIndex stage) {
      return observers[static_cast<size_t>(stage.value())].get();
    };
    options.wrap_link = [&](StageIndex lower, bool lower_end,
                            std::unique_ptr<Link> link) {
      return WithDelays(std::move(link),
                        run.delays + 100 + 2 * lower.value() + lower_end);
    };
  }
  TorchStageFactory factory;
  absl::StatusOr<InProcessResult> result = RunInProcess(factory, options);
  EXPECT_THAT(result, IsOk());
  return result.ok() ? *std::move(result) : InProcessResult{};
}

// Everything that both sides report, to the bit.
void ExpectEqual(const InProcessResult& cluster, const OracleResult& expected,
                 bool evaluated) {
  EXPECT_EQ(cluster.digest_lines, expected.digest_lines);
  EXPECT_EQ(cluster.weights_digest, expected.weights_digest);

  ASSERT_THAT(cluster.updates, SizeIs(expected.staleness.size()));
  for (size_t k = 0; k < cluster.updates.size(); ++k) {
    const std::vector<UpdateRecord>& updates = cluster.updates[k];
    ASSERT_THAT(updates, SizeIs(expected.staleness[k].size()));
    for (size_t i = 0; i < updates.size(); ++i) {
      EXPECT_EQ(updates[i].item.value(), static_cast<int64_t>(i));
      EXPECT_EQ(updates[i].staleness, expected.staleness[k][i]);
      EXPECT_EQ(updates[i].backward_version, static_cast<int64_t>(i));
    }
  }
  const std::vector<UpdateRecord>& last = cluster.updates.back();
  for (size_t i = 0; i < last.size(); ++i) {
    EXPECT_EQ(last[i].loss_sum, expected.loss_sums[i]) << "item " << i;
    EXPECT_EQ(last[i].correct, expected.correct[i]) << "item " << i;
  }

  if (!evaluated) {
    EXPECT_THAT(cluster.evaluations, SizeIs(0));
    return;
  }
  ASSERT_THAT(cluster.evaluations, SizeIs(expected.evaluations.size()));
  for (size_t e = 0; e < cluster.evaluations.size(); ++e) {
    const oracle::Evaluation& wanted = expected.evaluations[e];
    const double samples = static_cast<double>(wanted.samples);
    EXPECT_EQ(cluster.evaluations[e].version, wanted.version);
    EXPECT_EQ(cluster.evaluations[e].samples, wanted.samples);
    EXPECT_EQ(cluster.evaluations[e].loss, wanted.loss_sum / samples);
    EXPECT_EQ(cluster.evaluations[e].accuracy,
              static_cast<double>(wanted.correct) / samples);
  }
}

void ExpectClusterEqualsOracle(const Twin& twin, const RunOptions& run = {}) {
  const OracleResult expected = oracle::RunOracle(twin.oracle);
  ExpectEqual(RunCluster(twin, run), expected, run.evaluate);
}

// The first samples of a larger set, of which the classes are known to be all
// there.
oracle::Images FirstOf(oracle::Images images, int64_t samples) {
  const int64_t size = images.channels * images.height * images.width;
  images.pixels.resize(static_cast<size_t>(samples * size));
  images.labels.resize(static_cast<size_t>(samples));
  return images;
}

// A job drawn from `seed`: any model, cuts, staleness, update rule and batch.
Twin AnyTwin(uint32_t seed) {
  std::mt19937 random(seed);
  const auto draw = [&random](int64_t n) {
    return static_cast<int64_t>(random() % static_cast<uint32_t>(n));
  };
  const bool mlp = draw(4) > 0;
  Twin twin = mlp ? MlpTwin() : ResNetTwin();
  const int64_t units = mlp ? 3 : 5;
  Cuts cuts;
  Numbers staleness = {0};
  for (int64_t unit = 1; unit < units; ++unit) {
    if (draw(3) == 0) continue;
    cuts.push_back(unit);
    staleness.insert(staleness.begin(), staleness.front() + draw(4));
  }
  twin = draw(5) == 0 ? WithBp(std::move(twin), cuts)
                      : WithDsp(std::move(twin), cuts, staleness);
  const Kind kinds[] = {Kind::kHeavyBall, Kind::kNesterov, Kind::kSum};
  twin = WithOptimizer(std::move(twin),
                       {.kind = kinds[draw(3)],
                        .momentum = 0.5f + 0.1f * static_cast<float>(draw(5)),
                        .s = static_cast<double>(draw(7)),
                        .weight_decay = draw(2) == 0 ? 0.0f : 1e-3f});
  if (draw(2) == 0) twin = WithAugmentation(std::move(twin));
  twin = WithBatchSize(std::move(twin), 7 + draw(30));
  twin = WithEpochs(std::move(twin), 1 + draw(3));
  return WithSeed(std::move(twin), seed);
}

struct Shape {
  Numbers staleness;
  Cuts mlp;     // of 3 units
  Cuts resnet;  // of 5 units
};

const Shape kShapes[] = {
    {{0}, {}, {}},
    {{1, 0}, {1}, {2}},
    {{2, 0}, {2}, {1}},
    {{4, 2, 0}, {1, 2}, {1, 3}},
    {{2, 2, 0}, {1, 2}, {2, 4}},
};

TEST(ClusterEqualsOracleTest, WithBackpropagation) {
  ExpectClusterEqualsOracle(WithBp(MlpTwin(), {}));
  ExpectClusterEqualsOracle(WithBp(MlpTwin(), {1, 2}));
  ExpectClusterEqualsOracle(WithBp(ResNetTwin(), {}));
  ExpectClusterEqualsOracle(WithBp(ResNetTwin(), {3}));
  ExpectClusterEqualsOracle(WithBp(ResNetTwin(), {1, 2, 4}));
}

TEST(ClusterEqualsOracleTest, WithEveryKindOfStaleness) {
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(::testing::PrintToString(shape.staleness));
    ExpectClusterEqualsOracle(WithDsp(MlpTwin(), shape.mlp, shape.staleness));
    ExpectClusterEqualsOracle(
        WithDsp(ResNetTwin(), shape.resnet, shape.staleness));
  }
  ExpectClusterEqualsOracle(WithDsp(ResNetTwin(), {1, 2, 4}, {3, 1, 1, 0}));
  ExpectClusterEqualsOracle(
      WithDsp(ResNetTwin(), {1, 2, 3, 4}, {8, 6, 4, 2, 0}));
}

TEST(ClusterEqualsOracleTest, WhateverTheActivationQueues) {
  Twin twin = WithDsp(ResNetTwin(), {1, 3}, {4, 2, 0});
  const OracleResult expected = oracle::RunOracle(twin.oracle);
  for (const Numbers& queues :
       {Numbers{0, 0, 0}, Numbers{1, 1, 0}, Numbers{2, 2, 0}, Numbers{2, 0, 0},
        Numbers{0, 2, 0}}) {
    twin.spec.method.parameters["activation_queues"] = queues;
    ExpectEqual(RunCluster(twin), expected, true);
  }
}

TEST(ClusterEqualsOracleTest, WithEveryUpdateRule) {
  for (const oracle::Optimizer& optimizer :
       {oracle::Optimizer{Kind::kHeavyBall},
        oracle::Optimizer{Kind::kHeavyBall, 0.9f, 1, 5e-4f},
        oracle::Optimizer{Kind::kNesterov, 0.9f, 1, 5e-4f},
        oracle::Optimizer{Kind::kSum, 0.9f, 5, 5e-4f},
        oracle::Optimizer{Kind::kSum, 0.8f, 2.5}}) {
    ExpectClusterEqualsOracle(
        WithOptimizer(WithDsp(MlpTwin(), {1, 2}, {4, 2, 0}), optimizer));
    ExpectClusterEqualsOracle(
        WithOptimizer(WithDsp(ResNetTwin(), {2}, {1, 0}), optimizer));
  }
}

TEST(ClusterEqualsOracleTest, WithAugmentationAndOtherSeeds) {
  const Twin twin = WithAugmentation(WithDsp(ResNetTwin(), {3}, {2, 0}));
  ExpectClusterEqualsOracle(twin);
  ExpectClusterEqualsOracle(WithSeed(twin, 0));
  ExpectClusterEqualsOracle(WithSeed(twin, ~uint64_t{0}));
}

TEST(ClusterEqualsOracleTest, InBothMemoryFormats) {
  for (const at::MemoryFormat format :
       {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast}) {
    ExpectClusterEqualsOracle(
        WithFormat(WithDsp(ResNetTwin(), {1, 4}, {4, 2, 0}), format));
    ExpectClusterEqualsOracle(
        WithFormat(WithDsp(MlpTwin(), {1}, {2, 0}), format));
  }
}

// One channel leaves open in which format an image lies.
TEST(ClusterEqualsOracleTest, OnImagesOfOneChannel) {
  ExpectClusterEqualsOracle(WithDsp(GreyResNetTwin(), {}, {0}));
  ExpectClusterEqualsOracle(WithDsp(GreyResNetTwin(), {1, 4}, {4, 2, 0}));
}

// The sizes, and so the kernels, of a real job.
TEST(ClusterEqualsOracleTest, OnRealImages) {
  if (!oracle::HasFashionMnist()) GTEST_SKIP() << "no dataset-fashion-mnist";
  Twin twin = WithDsp(GreyResNetTwin(), {2}, {2, 0});
  twin = WithEpochs(WithBatchSize(std::move(twin), 64), 1);
  twin = WithAugmentation(std::move(twin));
  twin.spec.model.parameters = {{"depth", 8}, {"width", 8}, {"classes", 10}};
  twin.oracle.units = oracle::ResNet(8, 8, 10, 1);
  twin.oracle.training = FirstOf(oracle::FashionMnistTraining(), 600);
  twin.oracle.test = FirstOf(oracle::FashionMnistTest(), 100);
  twin.oracle.normalisation = oracle::FashionMnistNormalisation();
  ExpectClusterEqualsOracle(twin, {.delays = 1});
}

TEST(ClusterEqualsOracleTest, WithTwoThreads) {
  const Twin twin = WithEpochs(WithBp(ResNetTwin(), {}), 1);
  ExpectClusterEqualsOracle(WithThreads(twin, 2));
}

// Otherwise equality would say little.
TEST(ClusterEqualsOracleTest, OnlyWhenBothMeanTheSameJob) {
  const OracleResult expected =
      oracle::RunOracle(WithDsp(MlpTwin(), {1}, {1, 0}).oracle);
  for (const Twin& other :
       {WithDsp(MlpTwin(), {1}, {2, 0}), WithBp(MlpTwin(), {1}),
        WithSeed(WithDsp(MlpTwin(), {1}, {1, 0}), 8)}) {
    EXPECT_NE(RunCluster(other).weights_digest, expected.weights_digest);
  }
}

TEST(ClusterEqualsOracleTest, WithAnyJob) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    ExpectClusterEqualsOracle(AnyTwin(seed), {.delays = seed});
  }
}

TEST(ClusterEqualsOracleTest, WithAndWithoutEvaluation) {
  const Twin twin = WithDsp(ResNetTwin(), {1, 3}, {4, 2, 0});
  ExpectClusterEqualsOracle(twin, {.evaluate = true});
  ExpectClusterEqualsOracle(twin, {.evaluate = false});
}

// Fewer items than the first stage's window: the fill is the whole job.
TEST(ClusterEqualsOracleTest, WhenTheJobEndsBeforeThePipelineIsFull) {
  ExpectClusterEqualsOracle(
      WithEpochs(WithDsp(MlpTwin(), {1, 2}, {12, 6, 0}), 1));
}

TEST(ClusterEqualsOracleTest, HoweverStagesAndLinksAreDelayed) {
  const Twin twins[] = {
      WithDsp(MlpTwin(), {1, 2}, {4, 2, 0}),
      WithDsp(MlpTwin(), {1, 2}, {2, 2, 0}),
      WithDsp(ResNetTwin(), {2}, {1, 0}),
      WithDsp(ResNetTwin(), {1, 2, 4}, {3, 1, 1, 0}),
      WithBp(MlpTwin(), {1, 2}),
  };
  for (const Twin& twin : twins) {
    const OracleResult expected = oracle::RunOracle(twin.oracle);
    for (uint32_t delays = 1; delays <= 3; ++delays) {
      SCOPED_TRACE(delays);
      ExpectEqual(RunCluster(twin, {.delays = delays}), expected, true);
    }
  }
}

TEST(ClusterEqualsOracleTest, StoredInputsPeakAtOneMoreThanTheStaleness) {
  const Numbers staleness = {4, 2, 0};
  const InProcessResult result =
      RunCluster(WithDsp(MlpTwin(), {1, 2}, staleness), {.delays = 9});

  ASSERT_THAT(result.updates, SizeIs(3));
  for (size_t k = 0; k < 3; ++k) {
    int64_t peak = 0;
    for (const UpdateRecord& record : result.updates[k]) {
      peak = std::max(peak, record.stored_inputs);
    }
    EXPECT_EQ(peak, staleness[k] + 1) << "stage " << k;
  }
}

}  // namespace
}  // namespace stagecoach

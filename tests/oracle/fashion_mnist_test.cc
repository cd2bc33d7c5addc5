#include "tests/oracle/fashion_mnist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/oracle/oracle.h"

namespace stagecoach::oracle {
namespace {

// Loose enough for any seed: a broken gradient or a shuffled label stays near
// 10 %.
TEST(FashionMnistTest, APerceptronLearnsRealImagesInOneEpoch) {
  if (!HasFashionMnist()) GTEST_SKIP() << "dataset-fashion-mnist is missing";
  OracleJob job;
  job.units = Mlp({784, 64, 10});
  job.cuts = {1};
  job.staleness = {1, 0};
  job.optimizer = {.momentum = 0.9f};
  job.batch_size = 64;
  job.training = FashionMnistTraining();
  job.test = FashionMnistTest();
  job.normalisation = FashionMnistNormalisation();
  job.rate = {.base = 0.02, .cosine = true, .warm_up = WarmUpOf(938, 5)};
  ASSERT_EQ(ItemsOf(job), 938);

  const OracleResult result = RunOracle(job);

  EXPECT_EQ(result.evaluations.back().samples, 10000);
  EXPECT_GT(result.evaluations.back().correct, 8400);
}

}  // namespace
}  // namespace stagecoach::oracle

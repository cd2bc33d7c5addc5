#include "core/data/order.h"

#include <algorithm>
#include <fstream>
#include <numeric>

#include "core/job/value.h"
#include "gtest/gtest.h"
#include "tests/support/paths.h"

namespace stagecoach {
namespace {

TEST(EpochOrderTest, IsThatOfTheReference) {
  std::ifstream file(SourceDir() / "tests/reference/streams.json");
  const Value cases = Value::parse(file).at("data_order");
  ASSERT_FALSE(cases.empty());
  for (const Value& expected : cases) {
    std::vector<int64_t> order =
        EpochOrder(std::stoull(expected.at("seed").get<std::string>()),
                   expected.at("epoch"), expected.at("samples"));
    const auto first = expected.at("first").get<std::vector<int64_t>>();
    ASSERT_EQ(order.size(), expected.at("samples"));
    order.resize(first.size());
    EXPECT_EQ(order, first) << expected;
  }
}

TEST(EpochOrderTest, VisitsEverySampleOnceInAnotherOrderEachEpoch) {
  std::vector<int64_t> all(1000);
  std::iota(all.begin(), all.end(), 0);
  std::vector<int64_t> first = EpochOrder(/*seed=*/3, /*epoch=*/0, 1000);
  const std::vector<int64_t> second = EpochOrder(3, /*epoch=*/1, 1000);
  EXPECT_NE(first, second);
  EXPECT_NE(first, EpochOrder(4, 0, 1000));

  std::sort(first.begin(), first.end());

  EXPECT_EQ(first, all);
}

TEST(BatchOfTest, CutsEpochsIntoBatchesWithTheRestLast) {
  EXPECT_EQ(BatchesPerEpoch(10, 4), 3);
  EXPECT_EQ(BatchesPerEpoch(8, 4), 2);
  EXPECT_EQ(BatchesPerEpoch(3, 4), 1);
  const Batch first = BatchOf(/*item=*/3, /*samples=*/10, /*batch_size=*/4);
  EXPECT_EQ(first.epoch, 1);
  EXPECT_EQ(first.begin, 0);
  EXPECT_EQ(first.size(), 4);
  const Batch last = BatchOf(5, 10, 4);
  EXPECT_EQ(last.epoch, 1);
  EXPECT_EQ(last.begin, 8);
  EXPECT_EQ(last.end, 10);
  EXPECT_EQ(last.size(), 2);
}

}  // namespace
}  // namespace stagecoach

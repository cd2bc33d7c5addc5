#include "core/method/method.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

TEST(MethodTest, EveryMethodRunsAnyNumberOfStagesWithItsDefaults) {
  for (const std::string& name : Methods().Names()) {
    const Method& method = **Methods().Find(name);
    EXPECT_EQ(method.declaration().name, name);
    SC_ASSERT_OK_AND_ASSIGN(const Value parameters,
                            Resolve(method.declaration(), Value::object()));
    for (int num_stages = 1; num_stages <= 64; ++num_stages) {
      SC_ASSERT_OK_AND_ASSIGN(const std::vector<StageMethod> stages,
                              method.Stages(parameters, num_stages));
      ASSERT_EQ(stages.size(), static_cast<size_t>(num_stages));
      EXPECT_EQ(stages.back().window, 0);
      for (int k = 0; k + 1 < num_stages; ++k) {
        EXPECT_GE(LinkItems(stages, k), 1) << name << " " << num_stages;
      }
    }
  }
}

TEST(MethodTest, BpKeepsOneItemAtATime) {
  const Method& bp = **Methods().Find("bp");

  EXPECT_TRUE(bp.synchronous());
  EXPECT_THAT(bp.Stages(Value::object(), 3),
              IsOkAndHolds(testing::Each(StageMethod{0, false})));
}

}  // namespace
}  // namespace stagecoach

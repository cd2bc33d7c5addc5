#include "core/partition/partition.h"

#include <algorithm>
#include <limits>
#include <random>

#include "core/base/field_error.h"
#include "core/model/zoo.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Model ModelOfCosts(const std::vector<double>& costs) {
  Model model;
  for (const double cost : costs) {
    model.units.push_back({.cost = {.forward_flops = cost}});
  }
  return model;
}

std::vector<StageMethod> Stages(size_t count) {
  return std::vector<StageMethod>(count);
}

Cuts CutBy(const char* name, const Model& model,
           const std::vector<StageMethod>& stages) {
  return Partitioners().Find(name)->cut(model, stages);
}

double Bottleneck(const Model& model, const std::vector<StageMethod>& stages,
                  const Cuts& cuts) {
  const auto units = static_cast<int64_t>(model.units.size());
  double worst = 0;
  for (size_t k = 0; k < stages.size(); ++k) {
    const UnitRange range = UnitsOfStage(cuts, units, static_cast<int>(k));
    worst = std::max(
        worst,
        StageCost(absl::MakeConstSpan(model.units)
                      .subspan(static_cast<size_t>(range.begin),
                               static_cast<size_t>(range.end - range.begin)),
                  stages[k]));
  }
  return worst;
}

// Every way to cut, in ascending order.
std::vector<Cuts> AllCuts(int64_t units, size_t stages) {
  if (stages == 1) return {{}};
  std::vector<Cuts> all;
  std::vector<bool> chosen(static_cast<size_t>(units - 1));
  std::fill_n(chosen.begin(), stages - 1, true);
  do {
    Cuts cuts;
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) cuts.push_back(static_cast<int64_t>(i) + 1);
    }
    all.push_back(cuts);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return all;
}

TEST(UnitsOfStageTest, GivesEachUnitToOneStage) {
  const Cuts cuts = {2, 3};
  EXPECT_EQ(UnitsOfStage(cuts, 7, 0).begin, 0);
  EXPECT_EQ(UnitsOfStage(cuts, 7, 0).end, 2);
  EXPECT_EQ(UnitsOfStage(cuts, 7, 1).begin, 2);
  EXPECT_EQ(UnitsOfStage(cuts, 7, 1).end, 3);
  EXPECT_EQ(UnitsOfStage(cuts, 7, 2).begin, 3);
  EXPECT_EQ(UnitsOfStage(cuts, 7, 2).end, 7);
  EXPECT_EQ(UnitsOfStage({}, 7, 0).end, 7);
}

TEST(StageCostTest, CountsEachPassTheMethodMakes) {
  PlacedLayer unit;
  unit.cost = {.forward_flops = 100, .backward_flops = 200, .memory_bytes = 10};

  // Forward 100 + 6 x 10, backward 200 + 2 x 6 x 10.
  EXPECT_EQ(StageCost({&unit, 1}, {.window = 0, .recompute = false}), 480);
  EXPECT_EQ(StageCost({&unit, 1}, {.window = 2, .recompute = true}), 640);
}

TEST(PartitionersTest, GiveEveryStageUnits) {
  for (const std::string& name : Partitioners().Names()) {
    EXPECT_EQ(Partitioners().Find(name)->declaration.name, name);
    for (size_t units = 1; units <= 12; ++units) {
      const Model model = ModelOfCosts(std::vector<double>(units, 1));
      for (size_t stages = 1; stages <= units; ++stages) {
        const Cuts cuts = CutBy(name.c_str(), model, Stages(stages));
        EXPECT_THAT(CheckCuts(cuts, static_cast<int64_t>(units),
                              static_cast<int64_t>(stages)),
                    IsOk())
            << name << " " << units << " " << stages;
      }
    }
  }
}

TEST(UniformTest, MakesLaterStagesLonger) {
  const Model model = ModelOfCosts(std::vector<double>(7, 1));

  EXPECT_THAT(CutBy("uniform", model, Stages(3)), ElementsAre(2, 4));
  EXPECT_THAT(CutBy("uniform", model, Stages(1)), IsEmpty());
}

TEST(BalancedTest, FindsTheEarliestOfTheBestCuts) {
  std::mt19937 numbers(11);
  for (int trial = 0; trial < 200; ++trial) {
    // Small whole costs make many ties.
    std::vector<double> costs(2 + numbers() % 8);
    for (double& cost : costs) cost = static_cast<double>(1 + numbers() % 4);
    const Model model = ModelOfCosts(costs);
    std::vector<StageMethod> stages = Stages(1 + numbers() % costs.size());
    for (StageMethod& stage : stages) stage.recompute = numbers() % 2 == 0;

    const Cuts cuts = CutBy("balanced", model, stages);

    Cuts best;
    double least = std::numeric_limits<double>::infinity();
    for (const Cuts& candidate :
         AllCuts(static_cast<int64_t>(costs.size()), stages.size())) {
      const double bottleneck = Bottleneck(model, stages, candidate);
      if (bottleneck < least || (bottleneck == least && candidate < best)) {
        least = bottleneck;
        best = candidate;
      }
    }
    ASSERT_EQ(cuts, best) << "trial " << trial;
  }
}

TEST(BalancedTest, CutsTheLongestModelIntoTheMostStages) {
  const Model model = ModelOfCosts(std::vector<double>(1024, 1));

  const Cuts cuts = CutBy("balanced", model, Stages(64));

  ASSERT_EQ(cuts.size(), 63u);
  for (size_t k = 0; k < cuts.size(); ++k) {
    EXPECT_EQ(cuts[k], static_cast<int64_t>(16 * (k + 1)));
  }
}

Model Resnet(int64_t depth) {
  const ZooModel& zoo = **ZooModels().Find("resnet");
  const Value parameters = {{"depth", depth}, {"width", 16}, {"classes", 10}};
  const Shape input = {3, 32, 32};
  return *PlaceModel(*zoo.Units(parameters, input), input);
}

// The best cuts that were measured with two stages on two cores.
TEST(BalancedTest, CutsResnetsWhereMeasurementsDo) {
  const std::vector<StageMethod> dsp = {{.window = 2, .recompute = true},
                                        {.window = 0, .recompute = false}};

  EXPECT_THAT(CutBy("balanced", Resnet(20), dsp), ElementsAre(4));
  const Cuts deep = CutBy("balanced", Resnet(56), dsp);
  ASSERT_EQ(deep.size(), 1);
  EXPECT_NEAR(static_cast<double>(deep[0]), 11, 1);
}

struct BadCuts {
  Cuts cuts;
  const char* field;
  const char* message;
};

TEST(CheckCutsTest, SaysWhichCutBreaksWhichRule) {
  const BadCuts cases[] = {
      {{3}, "cuts", "has 1 cuts for 3 stages"},
      {{}, "cuts", "has 0 cuts for 3 stages"},
      {{0, 3},
       "cuts[0]",
       "must be at least 1 and below the 11 units of the model, not 0"},
      {{3, 11},
       "cuts[1]",
       "must be at least 1 and below the 11 units of the model, not 11"},
      {{3, 3}, "cuts[1]", "must be above the cut before it, 3, not 3"},
      {{5, 3}, "cuts[1]", "must be above the cut before it, 5, not 3"},
      {{-4, 3}, "cuts[0]", "must be at least 1"},
  };
  for (const BadCuts& bad : cases) {
    const absl::Status status = CheckCuts(bad.cuts, /*units=*/11, /*stages=*/3);

    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                 HasSubstr(bad.message)));
    EXPECT_EQ(FieldOf(status), bad.field);
  }
  EXPECT_THAT(CheckCuts({1, 10}, 11, 3), IsOk());
}

TEST(CheckCutsTest, NamesNoLimitThatIsNotKnown) {
  EXPECT_THAT(CheckCuts({0}, std::numeric_limits<int64_t>::max(), /*stages=*/2),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "must be at least 1, not 0"));
}

}  // namespace
}  // namespace stagecoach

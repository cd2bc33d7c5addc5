#include "worker/observers/flight_recorder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class FlightRecorderTest : public testing::Test {
 protected:
  void Pass1ms(Pass pass, int64_t item) {
    recorder_.OnPassBegin(pass, ItemId(item));
    clock_.Advance(absl::Milliseconds(1));
    recorder_.OnPassEnd(pass, ItemId(item));
  }

  FakeClock clock_;
  FlightRecorder recorder_{StageIndex(1), clock_};
};

TEST_F(FlightRecorderTest, SaysWhatWasDoneAtWhichVersionAndHowLong) {
  Pass1ms(Pass::kForward, 5);
  Pass1ms(Pass::kBackward, 3);
  recorder_.OnUpdate({.item = ItemId(3), .backward_version = 3});
  Pass1ms(Pass::kForward, 6);

  EXPECT_THAT(recorder_.Lines(),
              ElementsAre("0.000000 s  forward item 5 at version 0, 1.000 ms",
                          "0.001000 s  backward item 3 at version 0, 1.000 ms",
                          "0.002000 s  forward item 6 at version 4, 1.000 ms"));
}

TEST_F(FlightRecorderTest, SaysForWhomTheStageWaits) {
  recorder_.OnWait(WaitReason::kInput);
  clock_.Advance(absl::Milliseconds(2));
  recorder_.OnWait(WaitReason::kInput);  // woken in vain
  clock_.Advance(absl::Milliseconds(3));
  Pass1ms(Pass::kForward, 0);
  recorder_.OnWait(WaitReason::kGradient);
  clock_.Advance(absl::Milliseconds(7));

  EXPECT_THAT(
      recorder_.Lines(),
      ElementsAre(
          "0.000000 s  waits for input from stage 0 at version 0, 5.000 ms",
          "0.005000 s  forward item 0 at version 0, 1.000 ms",
          "0.006000 s  waits for a gradient from stage 2 at version 0, still, "
          "for 7.000 ms"));
}

TEST_F(FlightRecorderTest, RecordsEvaluationsAndThePassThatEndsThem) {
  recorder_.OnPassBegin(Pass::kEvaluate, ItemId(2));
  clock_.Advance(absl::Milliseconds(4));
  recorder_.OnEvaluation({.version = 6, .samples = 20});
  recorder_.OnPassEnd(Pass::kEvaluate, ItemId(2));

  EXPECT_THAT(recorder_.Lines(),
              ElementsAre("0.000000 s  evaluate item 2 at version 0, 4.000 ms",
                          "0.004000 s  evaluated 20 samples at version 6"));
}

TEST_F(FlightRecorderTest, KeepsTheLastThousandMoves) {
  for (int64_t item = 0; item < 2500; ++item) Pass1ms(Pass::kForward, item);

  const std::vector<std::string> lines = recorder_.Lines();

  ASSERT_THAT(lines, SizeIs(1000));
  EXPECT_THAT(lines.front(), HasSubstr("forward item 1500 "));
  EXPECT_THAT(lines.back(), HasSubstr("forward item 2499 "));
}

}  // namespace
}  // namespace stagecoach

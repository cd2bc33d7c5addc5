#include "worker/observers/observer_list.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/recording_observer.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(ObserverListTest, TellsEveryObserverEverything) {
  RecordingObserver first;
  RecordingObserver second;
  ObserverList list({&first, &second});

  list.OnPassBegin(Pass::kForward, ItemId(3));
  list.OnPassEnd(Pass::kForward, ItemId(3));
  list.OnUpdate({.item = ItemId(3)});
  list.OnEvaluation({.version = 4});
  list.OnWait(WaitReason::kGradient);

  for (const RecordingObserver* observer : {&first, &second}) {
    EXPECT_THAT(observer->passes, ElementsAre("forward 3"));
    EXPECT_EQ(observer->ended, 1);
    EXPECT_THAT(observer->updates, SizeIs(1));
    EXPECT_THAT(observer->evaluations, SizeIs(1));
    EXPECT_THAT(observer->waits, ElementsAre(WaitReason::kGradient));
  }
}

}  // namespace
}  // namespace stagecoach

#include "client/interrupt.h"

#include <thread>

#include "gtest/gtest.h"

namespace stagecoach {
namespace {

TEST(InterruptTest, CallsWhatIsRegisteredOnce) {
  Interrupt interrupt;
  int calls = 0;
  const Interrupt::Registration registration(interrupt, [&] { ++calls; });

  interrupt.Trigger();
  interrupt.Trigger();

  EXPECT_EQ(calls, 1);
}

TEST(InterruptTest, ForgetsARegistrationThatIsGone) {
  Interrupt interrupt;
  int calls = 0;
  {
    const Interrupt::Registration registration(interrupt, [&] { ++calls; });
  }

  interrupt.Trigger();

  EXPECT_EQ(calls, 0);
}

TEST(InterruptTest, CallsAtOnceWhatIsRegisteredTooLate) {
  Interrupt interrupt;
  interrupt.Trigger();
  int calls = 0;

  const Interrupt::Registration registration(interrupt, [&] { ++calls; });

  EXPECT_EQ(calls, 1);
}

TEST(InterruptTest, EndsAWait) {
  Interrupt interrupt;
  std::thread trigger([&] { interrupt.Trigger(); });

  EXPECT_TRUE(interrupt.WaitFor(absl::Minutes(1)));
  trigger.join();
}

TEST(InterruptTest, WaitsNoLongerThanItIsTold) {
  Interrupt interrupt;

  EXPECT_FALSE(interrupt.WaitFor(absl::Milliseconds(1)));
}

}  // namespace
}  // namespace stagecoach

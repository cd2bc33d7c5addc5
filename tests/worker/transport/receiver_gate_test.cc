#include "worker/transport/receiver_gate.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "tests/fakes/recording_receiver.h"

namespace stagecoach {
namespace {

class ReceiverGateTest : public testing::Test {
 protected:
  void CallWritable() {
    gate_.Call(
        [](FrameReceiver& receiver) { receiver.OnWritable(Lane::kTraining); });
  }

  RecordingReceiver receiver_;
  ReceiverGate gate_{receiver_};
};

TEST_F(ReceiverGateTest, LetsCallsThroughUntilItIsShut) {
  CallWritable();
  gate_.Shut();
  CallWritable();

  EXPECT_EQ(receiver_.writable().size(), 1u);
}

TEST_F(ReceiverGateTest, LetsNothingThroughAfterTheLastCall) {
  for (int i = 0; i < 2; ++i) {
    gate_.CallLast([](FrameReceiver& receiver) {
      receiver.OnPeerLost(absl::UnavailableError(""));
    });
  }
  CallWritable();

  EXPECT_TRUE(receiver_.peer_lost());
  EXPECT_EQ(receiver_.calls_after_peer_lost(), 0);
}

TEST_F(ReceiverGateTest, WaitsForTheCallThatRuns) {
  std::atomic<bool> running = false;
  std::atomic<bool> ended = false;
  receiver_.SetHook([&] {
    running = true;
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    ended = true;
  });
  std::jthread caller([&] { CallWritable(); });
  while (!running) std::this_thread::yield();

  gate_.Shut();

  EXPECT_TRUE(ended);
}

TEST_F(ReceiverGateTest, MayBeShutFromInsideACall) {
  receiver_.SetHook([&] { gate_.Shut(); });

  CallWritable();
  CallWritable();

  EXPECT_EQ(receiver_.writable().size(), 1u);
}

}  // namespace
}  // namespace stagecoach

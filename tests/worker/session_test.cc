#include "worker/session.h"

#include <string>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_dialer.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/fake_random.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const RunningStage kStage{JobId("job-1"), Generation(2), StageIndex(0), 7};

class RecordingListener final : public ClusterListener {
 public:
  std::vector<RunningStage> Running() const override { return {kStage}; }
  void OnOrder(const Order& order) override { orders.push_back(order); }

  std::vector<Order> orders;
};

class SessionTest : public testing::Test {
 protected:
  SessionTest() { session_.Start(listener_); }

  // The stream of the newest try.
  FakeDialer::Stream& stream() { return *dialer_.streams.back(); }

  void Welcome(int64_t last_report = 0) {
    stream().events.welcomed(last_report);
    executor_.RunUntilIdle();
  }

  void Break(const absl::Status& why = absl::UnavailableError("gone")) {
    stream().events.ended(why);
    executor_.RunUntilIdle();
  }

  void Give(int64_t serial, const Order& order) {
    stream().events.ordered(serial, order);
    executor_.RunUntilIdle();
  }

  // Serials that were sent on the newest stream.
  std::vector<int64_t> Sent() {
    std::vector<int64_t> serials;
    for (const auto& [serial, report] : stream().reports) {
      serials.push_back(serial);
    }
    return serials;
  }

  FakeClock clock_;
  FakeExecutor executor_{clock_};
  FakeRandom random_;
  FakeDialer dialer_;
  RecordingListener listener_;
  std::vector<absl::Status> refusals_;
  WorkerSession session_{
      {.hello = {.name = WorkerName("a"), .slots = 3}},
      dialer_,
      executor_,
      random_,
      [this](const absl::Status& why) { refusals_.push_back(why); }};
};

const LogLine kLine{JobId("job-1"), "a line"};
const Order kStop = StopStages{JobId("job-1"), Generation(2), "over"};

TEST_F(SessionTest, SaysHelloWithWhatRuns) {
  EXPECT_EQ(stream().hello.slots, 3);
  EXPECT_THAT(stream().hello.running, ElementsAre(kStage));
  EXPECT_FALSE(session_.connected());

  Welcome();

  EXPECT_TRUE(session_.connected());
}

TEST_F(SessionTest, KeepsReportsUntilItIsWelcome) {
  session_.Send(kLine);
  EXPECT_THAT(Sent(), IsEmpty());

  Welcome();
  session_.Send(kLine);

  EXPECT_THAT(Sent(), ElementsAre(1, 2));
}

TEST_F(SessionTest, RenewsItsLeaseEachSecond) {
  Welcome();
  const int before = stream().renewals;

  executor_.Advance(absl::Seconds(3));

  EXPECT_EQ(stream().renewals - before, 3);
}

TEST_F(SessionTest, ComesBackWithinTwoSecondsAndSendsAgainWhatMayBeLost) {
  Welcome();
  session_.Send(kLine);
  session_.Send(kLine);
  stream().events.acknowledged(1);
  Break();
  session_.Send(kLine);

  executor_.Advance(absl::Seconds(2));
  ASSERT_THAT(dialer_.streams, SizeIs(2));
  Welcome();

  EXPECT_THAT(Sent(), ElementsAre(2, 3));
}

TEST_F(SessionTest, DoesNotSendAgainWhatTheWelcomeAcknowledges) {
  Welcome();
  session_.Send(kLine);
  session_.Send(kLine);
  Break();
  executor_.Advance(absl::Seconds(2));

  Welcome(/*last_report=*/2);

  EXPECT_THAT(Sent(), IsEmpty());
}

TEST_F(SessionTest, TriesForEverWithGrowingPauses) {
  Break();
  for (int i = 0; i < 8; ++i) {
    executor_.Advance(absl::Seconds(3));
    Break();
  }

  EXPECT_THAT(dialer_.streams, SizeIs(9));
  EXPECT_THAT(refusals_, IsEmpty());
}

TEST_F(SessionTest, TakesEachOrderOnce) {
  Welcome();
  Give(1, kStop);
  Break();
  executor_.Advance(absl::Seconds(2));
  EXPECT_EQ(stream().last_order, 1);
  Welcome();

  Give(1, kStop);
  Give(2, kStop);

  EXPECT_THAT(listener_.orders, SizeIs(2));
}

TEST_F(SessionTest, IgnoresAnOrderThatItDoesNotUnderstand) {
  Welcome();

  stream().events.ordered(1, absl::InvalidArgumentError("kind 17"));
  executor_.RunUntilIdle();
  Give(2, kStop);

  EXPECT_THAT(listener_.orders, SizeIs(1));
}

TEST_F(SessionTest, GivesUpOnAStreamThatNobodyAnswers) {
  executor_.Advance(absl::Seconds(10));

  EXPECT_TRUE(stream().cancelled);
}

TEST_F(SessionTest, DoesNotHearALateWordOfAnEarlierStream) {
  const auto first = dialer_.streams.back();
  Break();
  executor_.Advance(absl::Seconds(2));

  first->events.welcomed(0);
  first->events.ordered(1, kStop);
  executor_.RunUntilIdle();

  EXPECT_FALSE(session_.connected());
  EXPECT_THAT(listener_.orders, IsEmpty());
}

TEST_F(SessionTest, StopsTryingWhenItIsRefused) {
  Break(absl::AbortedError("a newer process has the worker name a"));
  executor_.Advance(absl::Minutes(1));

  EXPECT_THAT(dialer_.streams, SizeIs(1));
  EXPECT_THAT(refusals_, SizeIs(1));
}

TEST_F(SessionTest, ClosesForGood) {
  Welcome();

  session_.Close();
  stream().events.ended(absl::CancelledError("closed"));
  executor_.Advance(absl::Minutes(1));

  EXPECT_TRUE(stream().cancelled);
  EXPECT_FALSE(session_.connected());
  EXPECT_THAT(dialer_.streams, SizeIs(1));
}

}  // namespace
}  // namespace stagecoach

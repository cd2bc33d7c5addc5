#include "worker/transport/rendezvous.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_executor.h"
#include "tests/fakes/link_maker.h"
#include "tests/fakes/recording_receiver.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// What the contract of LinkNetwork leaves to time, on a clock that stands
// still.
class RendezvousTest : public testing::Test {
 protected:
  Rendezvous::End End(const LinkSpec& spec, LinkAnswer& answer) {
    return {.owner = "here",
            .at = "here",
            .spec = spec,
            .receiver = &receiver_,
            .done = answer.done()};
  }

  RecordingReceiver receiver_;
  FakeClock clock_;
  FakeExecutor executor_{clock_};
  AlignedFrameMemory memory_;
  const std::shared_ptr<Rendezvous> rendezvous_ =
      std::make_shared<Rendezvous>(executor_, memory_);
};

TEST_F(RendezvousTest, JoinsBothEndsAtTheNextOccasion) {
  LinkAnswer upper;
  LinkAnswer lower;
  rendezvous_->Expect(End(SampleLinkSpec(), upper), absl::Seconds(1));
  rendezvous_->Connect(End(SampleLinkSpec(), lower), absl::Seconds(1));
  EXPECT_EQ(upper.answers() + lower.answers(), 0);

  executor_.RunUntilIdle();

  EXPECT_THAT(upper.Take(), IsOk());
  EXPECT_THAT(lower.Take(), IsOk());
}

TEST_F(RendezvousTest, WaitsUntilTheTimeoutAndNoLonger) {
  LinkAnswer upper;
  rendezvous_->Expect(End(SampleLinkSpec(), upper), absl::Seconds(10));

  executor_.Advance(absl::Milliseconds(9999));
  EXPECT_EQ(upper.answers(), 0);
  executor_.Advance(absl::Milliseconds(1));

  EXPECT_THAT(upper.Take(),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "stage 0 of job job (generation 3) did not connect "
                       "within 10s"));
}

TEST_F(RendezvousTest, SaysWhyNobodyTookTheLink) {
  LinkAnswer lower;
  rendezvous_->Connect(End(SampleLinkSpec(), lower), absl::Seconds(10));

  executor_.Advance(absl::Seconds(10));

  EXPECT_THAT(lower.Take(),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       AllOf(HasSubstr("stage 1 of job job (generation 3) at "
                                       "here did not take the link within 10s"),
                             HasSubstr("; last: no link from stage 0"))));
}

TEST_F(RendezvousTest, DoesNotExpireWhatWasAnswered) {
  LinkAnswer upper;
  LinkAnswer lower;
  rendezvous_->Expect(End(SampleLinkSpec(), upper), absl::Seconds(1));
  rendezvous_->Connect(End(SampleLinkSpec(), lower), absl::Seconds(1));

  executor_.Advance(absl::Seconds(2));

  EXPECT_EQ(upper.answers(), 1);
  EXPECT_EQ(lower.answers(), 1);
}

TEST_F(RendezvousTest, HandsAnEndOverToACallerFromElsewhere) {
  LinkAnswer upper;
  rendezvous_->Expect(End(SampleLinkSpec(), upper), absl::Seconds(1));

  SC_ASSERT_OK_AND_ASSIGN(const Rendezvous::End end,
                          rendezvous_->Take("here", SampleLinkSpec()));

  EXPECT_EQ(end.receiver, &receiver_);
  EXPECT_THAT(rendezvous_->Take("here", SampleLinkSpec()),
              StatusIs(absl::StatusCode::kNotFound));
  executor_.Advance(absl::Seconds(2));
  EXPECT_EQ(upper.answers(), 0);
}

TEST_F(RendezvousTest, PrefersTheVerdictOfTheSameGeneration) {
  LinkAnswer older;
  LinkAnswer same;
  LinkSpec next = SampleLinkSpec();
  next.generation = Generation(4);
  next.boundary_digest = "int64 1";
  rendezvous_->Expect(End(next, same), absl::Seconds(1));
  rendezvous_->Expect(End(SampleLinkSpec(), older), absl::Seconds(1));
  LinkSpec offered = next;
  offered.boundary_digest = "int64 2";

  EXPECT_THAT(rendezvous_->Take("here", offered),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_F(RendezvousTest, LosesWhatIsOnItsWayWhenItIsSevered) {
  LinkAnswer upper;
  LinkAnswer lower;
  RecordingReceiver at_upper;
  Rendezvous::End end = End(SampleLinkSpec(), upper);
  end.receiver = &at_upper;
  rendezvous_->Expect(std::move(end), absl::Seconds(1));
  rendezvous_->Connect(End(SampleLinkSpec(), lower), absl::Seconds(1));
  executor_.RunUntilIdle();
  SC_ASSERT_OK_AND_ASSIGN(const auto lower_end, lower.Take());
  SC_ASSERT_OK_AND_ASSIGN(const auto upper_end, upper.Take());
  ASSERT_THAT(lower_end->Send(SampleFrame(0)), IsOk());

  rendezvous_->Sever("here", absl::UnavailableError("gone"));
  executor_.RunUntilIdle();

  EXPECT_TRUE(at_upper.frames().empty());
  EXPECT_TRUE(at_upper.peer_lost());
  EXPECT_TRUE(receiver_.peer_lost());
  EXPECT_THAT(lower_end->Send(SampleFrame(1)),
              StatusIs(absl::StatusCode::kUnavailable, "gone"));
}

TEST_F(RendezvousTest, LeavesOtherWorkersAlone) {
  LinkAnswer upper;
  rendezvous_->Expect(End(SampleLinkSpec(), upper), absl::Seconds(1));

  rendezvous_->Sever("elsewhere", absl::UnavailableError("gone"));
  rendezvous_->Forget("elsewhere", JobId("job"), Generation(3));
  executor_.RunUntilIdle();

  EXPECT_EQ(upper.answers(), 0);
}

}  // namespace
}  // namespace stagecoach

#include "coordinator/membership.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_clock.h"
#include "tests/fakes/fake_worker_control.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

Hello HelloOf(const std::string& name, uint64_t incarnation = 1) {
  return {.name = WorkerName(name),
          .incarnation = Incarnation(incarnation),
          .slots = 1,
          .data_address = "127.0.0.1:1"};
}

class MembershipTest : public testing::Test {
 protected:
  Member& Join(const Hello& hello) {
    return membership_.Join(hello, std::make_shared<FakeWorkerControl>());
  }

  FakeClock clock_;
  Membership membership_{
      {.lease = absl::Seconds(10), .grace = absl::Seconds(2), .max_lost = 2},
      clock_};
};

TEST_F(MembershipTest, NamesAWorkerThatStopsRenewing) {
  Member& steady = Join(HelloOf("steady"));
  Join(HelloOf("silent"));

  clock_.Advance(absl::Seconds(6));
  membership_.Renew(steady);
  clock_.Advance(absl::Seconds(6));

  EXPECT_THAT(
      membership_.Lapsed(),
      ElementsAre(Field(&Membership::Lapse::worker, WorkerName("silent"))));
}

TEST_F(MembershipTest, GivesABrokenConnectionAGrace) {
  Member& member = Join(HelloOf("left"));

  membership_.Suspect(member);
  clock_.Advance(absl::Milliseconds(1999));
  EXPECT_THAT(membership_.Lapsed(), IsEmpty());
  clock_.Advance(absl::Milliseconds(1));

  EXPECT_THAT(membership_.Lapsed(),
              ElementsAre(Field(&Membership::Lapse::why,
                                HasSubstr("did not return within 2s"))));
}

TEST_F(MembershipTest, RemembersAnIncarnationThatIsBack) {
  Member& member = Join(HelloOf("left"));
  member.last_report = 12;
  member.assignment = {.job = JobId("job-1")};
  member.outbox.Add(StartStages{});
  const SessionId first = member.session;
  membership_.Suspect(member);

  const Member& again = Join(HelloOf("left"));

  EXPECT_TRUE(again.here());
  EXPECT_EQ(again.last_report, 12);
  EXPECT_TRUE(again.assignment.has_value());
  EXPECT_EQ(again.outbox.waiting().size(), 1u);
  EXPECT_EQ(membership_.FindSession(first), nullptr);
}

TEST_F(MembershipTest, KnowsNothingOfAnotherIncarnation) {
  Member& member = Join(HelloOf("left", 1));
  member.last_report = 12;
  membership_.Lose(member);

  const Member& again = Join(HelloOf("left", 2));

  EXPECT_EQ(again.last_report, 0);
  EXPECT_EQ(again.hello.incarnation, Incarnation(2));
}

TEST_F(MembershipTest, GivesUpWhatALostWorkerHad) {
  Member& member = Join(HelloOf("left"));
  member.assignment = {.job = JobId("job-1")};
  member.outbox.Add(StartStages{});

  membership_.Lose(member);

  EXPECT_FALSE(member.assignment.has_value());
  EXPECT_THAT(member.outbox.waiting(), IsEmpty());
  EXPECT_EQ(membership_.FindSession(member.session), nullptr);
  EXPECT_THAT(membership_.Lapsed(), IsEmpty());
}

TEST_F(MembershipTest, ForgetsTheOldestOfTooManyLostWorkers) {
  for (const char* name : {"a", "b", "c"}) {
    membership_.Lose(Join(HelloOf(name)));
    clock_.Advance(absl::Seconds(1));
  }

  EXPECT_EQ(membership_.Find(WorkerName("a")), nullptr);
  EXPECT_NE(membership_.Find(WorkerName("b")), nullptr);
}

TEST_F(MembershipTest, NumbersOrdersAboveThoseOfAnEarlierCoordinator) {
  Hello hello = HelloOf("left");
  hello.last_order = 40;

  Member& member = Join(hello);

  EXPECT_EQ(member.outbox.Add(StartStages{}).first, 41);
}

TEST(CheckHelloTest, AcceptsANormalWorker) {
  EXPECT_THAT(CheckHello(HelloOf("worker-1.rack_2")), IsOk());
}

TEST(CheckHelloTest, NamesTheRuleThatIsBroken) {
  Hello name = HelloOf("with space");
  Hello slots = HelloOf("left");
  slots.slots = 0;
  Hello protocol = HelloOf("left");
  protocol.protocol = 2;
  Hello address = HelloOf("left");
  address.data_address = "";

  const auto is_invalid = [](const char* text) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
  };
  EXPECT_THAT(CheckHello(name), is_invalid("'with space'"));
  EXPECT_THAT(CheckHello(slots), is_invalid("slots 0"));
  EXPECT_THAT(CheckHello(protocol), is_invalid("protocol 2"));
  EXPECT_THAT(CheckHello(address), is_invalid("--advertise"));
}

}  // namespace
}  // namespace stagecoach

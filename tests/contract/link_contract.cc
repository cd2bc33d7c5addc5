#include "tests/contract/link_contract.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr absl::Duration kLong = absl::Seconds(30);
constexpr absl::Duration kShort = absl::Milliseconds(200);

LinkContract::Ends LinkContract::Connect(const LinkSpec& spec) {
  LinkAnswer lower;
  LinkAnswer upper;
  world_->upper().Expect(spec, at_upper_, kLong, upper.done());
  world_->lower().Connect(spec, world_->upper_address(), at_lower_, kLong,
                          lower.done());
  absl::StatusOr<std::unique_ptr<Link>> lower_end = lower.Take();
  absl::StatusOr<std::unique_ptr<Link>> upper_end = upper.Take();
  EXPECT_THAT(lower_end, IsOk());
  EXPECT_THAT(upper_end, IsOk());
  if (!lower_end.ok() || !upper_end.ok()) return {};
  return {*std::move(lower_end), *std::move(upper_end)};
}

absl::Status LinkContract::ConnectWith(const LinkSpec& offered,
                                       absl::Duration timeout) {
  LinkAnswer answer;
  world_->lower().Connect(offered, world_->upper_address(), at_lower_, timeout,
                          answer.done());
  return answer.Take().status();
}

namespace {

std::vector<ItemId> Items(int count) {
  std::vector<ItemId> items;
  for (int i = 0; i < count; ++i) items.push_back(ItemId(i));
  return items;
}

bool SameTensor(const TensorBytes& a, const TensorBytes& b) {
  return a.type == b.type && std::memcmp(a.data.get(), b.data.get(),
                                         static_cast<size_t>(a.size())) == 0;
}

TEST_P(LinkContract, DeliversFramesInTheOrderOfSend) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);

  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i)), IsOk());
  }

  EXPECT_EQ(at_upper_.WaitForItems(4), Items(4));
}

TEST_P(LinkContract, DeliversEveryFieldOfAFrame) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  Frame sent = SampleFrame(7);
  sent.samples = 5;
  sent.counted = 35;
  sent.tensors.push_back(PatternTensor({DataType::kInt64, {5}, RowMajor(1)}));

  ASSERT_THAT(ends.lower->Send(sent), IsOk());

  const std::vector<Frame> frames = at_upper_.WaitForFrames(1);
  ASSERT_THAT(frames, SizeIs(1));
  EXPECT_EQ(frames[0].lane, Lane::kTraining);
  EXPECT_EQ(frames[0].item, ItemId(7));
  EXPECT_EQ(frames[0].generation, Generation(3));
  EXPECT_EQ(frames[0].samples, 5);
  EXPECT_EQ(frames[0].counted, 35);
  ASSERT_THAT(frames[0].tensors, SizeIs(2));
  EXPECT_TRUE(SameTensor(frames[0].tensors[0], sent.tensors[0]));
  EXPECT_TRUE(SameTensor(frames[0].tensors[1], sent.tensors[1]));
}

TEST_P(LinkContract, CarriesAFrameWithoutTensors) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  Frame bare = SampleFrame(0);
  bare.tensors.clear();

  ASSERT_THAT(ends.upper->Send(bare), IsOk());

  const std::vector<Frame> frames = at_lower_.WaitForFrames(1);
  ASSERT_THAT(frames, SizeIs(1));
  EXPECT_THAT(frames[0].tensors, IsEmpty());
}

TEST_P(LinkContract, PreservesTensorsOfEverySize) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  const std::vector<int64_t> sizes = {0, 1, 4 << 10, (3 << 20) + 1, 64 << 20};

  for (size_t i = 0; i < sizes.size(); ++i) {
    const TensorBytes tensor = PatternTensor(
        {DataType::kUint8, {sizes[i]}, RowMajor(1)}, static_cast<int>(i));
    Frame frame = SampleFrame(static_cast<int64_t>(i));
    frame.tensors = {tensor};
    ASSERT_THAT(ends.lower->Send(frame), IsOk());
    const std::vector<Frame> frames = at_upper_.WaitForFrames(i + 1);
    ASSERT_THAT(frames, SizeIs(i + 1));
    EXPECT_TRUE(SameTensor(frames[i].tensors[0], tensor)) << sizes[i];
    ends.upper->Consumed(Lane::kTraining);
  }
}

TEST_P(LinkContract, PreservesEveryDataTypeAndDimensionOrder) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  Frame frame = SampleFrame(0);
  frame.tensors.clear();
  int salt = 0;
  for (const DataType dtype :
       {DataType::kUint8, DataType::kInt64, DataType::kFloat32,
        DataType::kFloat64, DataType::kBfloat16, DataType::kBool}) {
    for (const DimensionOrder& order :
         {DimensionOrder{0, 1, 2, 3}, DimensionOrder{0, 2, 3, 1},
          DimensionOrder{3, 2, 1, 0}}) {
      frame.tensors.push_back(
          PatternTensor({dtype, {2, 3, 5, 7}, order}, ++salt));
    }
  }
  frame.tensors.push_back(PatternTensor({DataType::kFloat32, {}, {}}));

  ASSERT_THAT(ends.lower->Send(frame), IsOk());

  const std::vector<Frame> frames = at_upper_.WaitForFrames(1);
  ASSERT_THAT(frames, SizeIs(1));
  ASSERT_THAT(frames[0].tensors, SizeIs(frame.tensors.size()));
  for (size_t i = 0; i < frame.tensors.size(); ++i) {
    EXPECT_TRUE(SameTensor(frames[0].tensors[i], frame.tensors[i])) << i;
  }
}

TEST_P(LinkContract, AlignsWhatIsReceivedTo64Bytes) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  // A view into the middle of somebody else's storage.
  const TensorBytes storage =
      PatternTensor({DataType::kUint8, {4096}, RowMajor(1)});
  Frame frame = SampleFrame(0);
  frame.tensors.clear();
  for (const int64_t offset : {1, 4, 100}) {
    frame.tensors.push_back({{DataType::kUint8, {1000}, RowMajor(1)},
                             std::shared_ptr<std::byte>(
                                 storage.data, storage.data.get() + offset)});
  }

  ASSERT_THAT(ends.lower->Send(frame), IsOk());

  const std::vector<Frame> frames = at_upper_.WaitForFrames(1);
  ASSERT_THAT(frames, SizeIs(1));
  ASSERT_THAT(frames[0].tensors, SizeIs(3));
  for (size_t i = 0; i < 3; ++i) {
    const TensorBytes& got = frames[0].tensors[i];
    EXPECT_EQ(reinterpret_cast<uintptr_t>(got.data.get()) % 64, 0u);
    EXPECT_TRUE(SameTensor(got, frame.tensors[i]));
  }
}

TEST_P(LinkContract, RefusesAFrameBeyondTheWindow) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i)), IsOk());
  }

  EXPECT_THAT(ends.lower->Send(SampleFrame(4)),
              StatusIs(absl::StatusCode::kResourceExhausted));

  EXPECT_EQ(at_upper_.WaitForItems(4), Items(4));
}

TEST_P(LinkContract, IsWritableAgainOnceAnItemIsConsumed) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i)), IsOk());
  }
  ASSERT_THAT(ends.lower->Send(SampleFrame(4)), Not(IsOk()));
  ASSERT_THAT(at_upper_.WaitForFrames(1), Not(IsEmpty()));

  ends.upper->Consumed(Lane::kTraining);

  EXPECT_THAT(at_lower_.WaitForWritable(1), ElementsAre(Lane::kTraining));
  EXPECT_THAT(ends.lower->Send(SampleFrame(4)), IsOk());
  EXPECT_EQ(at_upper_.WaitForItems(5), Items(5));
}

TEST_P(LinkContract, DoesNotAnnounceRoomToWhoWasNotRefused) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  for (int i = 0; i < 20; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i)), IsOk());
    ASSERT_EQ(at_upper_.WaitForItems(static_cast<size_t>(i) + 1), Items(i + 1));
    ends.upper->Consumed(Lane::kTraining);
    // What comes back shows that the credit, sent before it, was read.
    ASSERT_THAT(ends.upper->Send(SampleFrame(i)), IsOk());
    ASSERT_EQ(at_lower_.WaitForItems(static_cast<size_t>(i) + 1), Items(i + 1));
    ends.lower->Consumed(Lane::kTraining);
  }

  EXPECT_THAT(at_lower_.writable(), IsEmpty());
}

TEST_P(LinkContract, LetsEvaluationPassWhileTrainingIsFull) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i)), IsOk());
  }
  ASSERT_EQ(at_upper_.WaitForItems(4), Items(4));

  ASSERT_THAT(ends.lower->Send(SampleFrame(0, 16, Lane::kEvaluation)), IsOk());
  ASSERT_THAT(ends.lower->Send(SampleFrame(1, 16, Lane::kEvaluation)), IsOk());
  EXPECT_THAT(ends.lower->Send(SampleFrame(2, 16, Lane::kEvaluation)),
              StatusIs(absl::StatusCode::kResourceExhausted));

  const std::vector<Frame> frames = at_upper_.WaitForFrames(6);
  ASSERT_THAT(frames, SizeIs(6));
  EXPECT_EQ(frames[4].lane, Lane::kEvaluation);
  EXPECT_EQ(frames[5].lane, Lane::kEvaluation);
  EXPECT_EQ(frames[5].item, ItemId(1));
}

TEST_P(LinkContract, GivesCreditByLane) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  for (int i = 0; i < 2; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i, 16, Lane::kEvaluation)),
                IsOk());
  }
  ASSERT_THAT(ends.lower->Send(SampleFrame(2, 16, Lane::kEvaluation)),
              Not(IsOk()));
  ASSERT_THAT(ends.lower->Send(SampleFrame(0)), IsOk());
  ASSERT_THAT(at_upper_.WaitForFrames(3), SizeIs(3));

  ends.upper->Consumed(Lane::kTraining);
  ends.upper->Consumed(Lane::kEvaluation);

  EXPECT_THAT(at_lower_.WaitForWritable(1), ElementsAre(Lane::kEvaluation));
}

TEST_P(LinkContract, RefusesALaneWithoutRoomInThisDirection) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);

  EXPECT_THAT(ends.upper->Send(SampleFrame(0, 16, Lane::kEvaluation)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("no evaluation items downward")));
}

// Sends `count` frames, waiting for room whenever there is none.
void SendAll(Link& link, RecordingReceiver& at, int count, int64_t elements) {
  for (int i = 0; i < count;) {
    const size_t seen = at.writable().size();
    const absl::Status sent = link.Send(SampleFrame(i, elements));
    if (sent.ok()) {
      ++i;
    } else {
      ASSERT_THAT(sent, StatusIs(absl::StatusCode::kResourceExhausted));
      ASSERT_GT(at.WaitForWritable(seen + 1).size(), seen);
    }
  }
}

// Consumes `count` frames as they come.
void ConsumeAll(Link& link, RecordingReceiver& at, int count) {
  for (int i = 1; i <= count; ++i) {
    ASSERT_GE(at.WaitForItems(static_cast<size_t>(i)).size(),
              static_cast<size_t>(i));
    link.Consumed(Lane::kTraining);
  }
}

TEST_P(LinkContract, FillsBothDirectionsWhileNobodyConsumes) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  constexpr int64_t kElements = 1 << 20;  // 4 MB, more than socket buffers hold

  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i, kElements)), IsOk());
    ASSERT_THAT(ends.upper->Send(SampleFrame(i, kElements)), IsOk());
  }

  EXPECT_EQ(at_upper_.WaitForItems(4), Items(4));
  EXPECT_EQ(at_lower_.WaitForItems(4), Items(4));
}

TEST_P(LinkContract, StreamsBothDirectionsAtOnceThroughFullWindows) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  constexpr int kCount = 100;
  {
    std::vector<std::jthread> threads;
    threads.emplace_back(
        [&] { SendAll(*ends.lower, at_lower_, kCount, 5000); });
    threads.emplace_back(
        [&] { SendAll(*ends.upper, at_upper_, kCount, 5000); });
    threads.emplace_back([&] { ConsumeAll(*ends.lower, at_lower_, kCount); });
    threads.emplace_back([&] { ConsumeAll(*ends.upper, at_upper_, kCount); });
  }

  EXPECT_EQ(at_upper_.WaitForItems(kCount), Items(kCount));
  EXPECT_EQ(at_lower_.WaitForItems(kCount), Items(kCount));
}

TEST_P(LinkContract, NeverCallsAReceiverFromInsideACall) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  thread_local bool in_call = false;
  std::atomic<int> inside = 0;
  for (RecordingReceiver* receiver : {&at_lower_, &at_upper_}) {
    receiver->SetHook([&inside] { inside += in_call ? 1 : 0; });
  }

  in_call = true;
  for (int i = 0; i < 5; ++i) {
    ends.lower->Send(SampleFrame(i)).IgnoreError();
    ends.upper->Send(SampleFrame(i)).IgnoreError();
  }
  in_call = false;
  ASSERT_THAT(at_lower_.WaitForFrames(4), SizeIs(4));
  ASSERT_THAT(at_upper_.WaitForFrames(4), SizeIs(4));
  in_call = true;
  ends.lower->Consumed(Lane::kTraining);
  ends.upper->Consumed(Lane::kTraining);
  ends.upper->Close();
  in_call = false;

  EXPECT_THAT(at_lower_.WaitForPeerLost(), Not(Eq(std::nullopt)));
  EXPECT_EQ(inside, 0);
}

TEST_P(LinkContract, CallsAReceiverOnceAtATime) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  at_upper_.SetHook([&] {
    most = std::max(most.load(), ++running);
    std::this_thread::yield();
    --running;
  });

  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i)), IsOk());
    ends.lower->Send(SampleFrame(i, 16, Lane::kEvaluation)).IgnoreError();
  }

  ASSERT_THAT(at_upper_.WaitForFrames(6), SizeIs(6));
  EXPECT_EQ(most, 1);
}

TEST_P(LinkContract, RefusesAFrameAboveTheSpecsBytes) {
  LinkSpec spec = SampleLinkSpec();
  spec.max_item_bytes = 4096;
  const Ends ends = Connect(spec);
  ASSERT_NE(ends.lower, nullptr);
  Frame in_sum = SampleFrame(0, 1000);
  in_sum.tensors.push_back(in_sum.tensors[0]);

  EXPECT_THAT(ends.lower->Send(SampleFrame(0, 1025)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("4100 bytes exceeds the limit of 4096")));
  EXPECT_THAT(ends.lower->Send(in_sum),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ends.lower->Send(SampleFrame(0, 1024)), IsOk());
  EXPECT_THAT(at_upper_.WaitForFrames(1), SizeIs(1));
}

TEST_P(LinkContract, RefusesAFrameOfAnotherGeneration) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  Frame stale = SampleFrame(0);
  stale.generation = Generation(2);

  EXPECT_THAT(
      ends.lower->Send(stale),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("generation 2"), HasSubstr("generation 3"))));
}

TEST_P(LinkContract, CountsItsTraffic) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);

  ASSERT_THAT(ends.lower->Send(SampleFrame(0, 1000)), IsOk());
  ASSERT_THAT(ends.lower->Send(SampleFrame(1, 24)), IsOk());
  ASSERT_THAT(at_upper_.WaitForFrames(2), SizeIs(2));

  EXPECT_EQ(ends.lower->traffic().frames_sent, 2);
  EXPECT_EQ(ends.lower->traffic().bytes_sent, 4096);
  EXPECT_EQ(ends.upper->traffic().frames_received, 2);
  EXPECT_EQ(ends.upper->traffic().bytes_received, 4096);
  EXPECT_EQ(ends.lower->traffic().frames_received, 0);
}

TEST_P(LinkContract, DeliversWhatWasSentBeforeTheLowerEndClosed) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);

  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i, 1 << 20)), IsOk());
  }
  ends.lower->Close();

  EXPECT_THAT(at_upper_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
  EXPECT_EQ(at_upper_.WaitForItems(4), Items(4));
  EXPECT_EQ(at_upper_.calls_after_peer_lost(), 0);
}

TEST_P(LinkContract, DeliversWhatWasSentBeforeTheUpperEndWasDestroyed) {
  Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);

  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.upper->Send(SampleFrame(i, 1 << 20)), IsOk());
  }
  ends.upper.reset();

  EXPECT_THAT(at_lower_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
  EXPECT_EQ(at_lower_.WaitForItems(4), Items(4));
  EXPECT_EQ(at_lower_.calls_after_peer_lost(), 0);
}

TEST_P(LinkContract, ClosesForGood) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  ASSERT_THAT(ends.upper->Send(SampleFrame(0)), IsOk());

  ends.upper->Close();
  ends.upper->Close();
  ASSERT_THAT(at_lower_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));

  EXPECT_THAT(ends.upper->Send(SampleFrame(0)),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(ends.lower->Send(SampleFrame(0)),
              StatusIs(absl::StatusCode::kUnavailable));
  ends.lower->Consumed(Lane::kTraining);
  ends.lower->Close();
  EXPECT_THAT(at_upper_.frames(), IsEmpty());
  EXPECT_FALSE(at_upper_.peer_lost());
}

TEST_P(LinkContract, DoesNotCallAReceiverAfterItsEndWasClosed) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  std::atomic<bool> closed = false;
  std::atomic<int> late = 0;
  at_upper_.SetHook([&] { late += closed ? 1 : 0; });

  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(ends.lower->Send(SampleFrame(i, 1 << 18)), IsOk());
  }
  ends.upper->Close();
  closed = true;

  ASSERT_THAT(at_lower_.WaitForPeerLost(), Not(Eq(std::nullopt)));
  EXPECT_EQ(late, 0);
}

TEST_P(LinkContract, MayBeClosedByItsReceiver) {
  Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);
  at_upper_.SetHook([&ends] { ends.upper->Close(); });

  ASSERT_THAT(ends.lower->Send(SampleFrame(0)), IsOk());

  EXPECT_THAT(at_lower_.WaitForPeerLost(), Not(Eq(std::nullopt)));
}

TEST_P(LinkContract, TellsThatThePeersWorkerDied) {
  const Ends ends = Connect();
  ASSERT_NE(ends.lower, nullptr);

  world_->KillUpper();

  EXPECT_THAT(at_lower_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
  EXPECT_THAT(ends.lower->Send(SampleFrame(0)),
              StatusIs(absl::StatusCode::kUnavailable));
}

TEST_P(LinkContract, LetsEndsMeetWhoeverComesFirst) {
  LinkAnswer lower;
  LinkAnswer upper;

  world_->lower().Connect(SampleLinkSpec(), world_->upper_address(), at_lower_,
                          kLong, lower.done());
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, upper.done());

  EXPECT_THAT(lower.Take(), IsOk());
  EXPECT_THAT(upper.Take(), IsOk());
}

TEST_P(LinkContract, KeepsTheLinksOfOneWorkerApart) {
  RecordingReceiver at_other_lower;
  RecordingReceiver at_other_upper;
  LinkSpec other = SampleLinkSpec();
  other.lower = StageIndex(5);
  const Ends ends = Connect();
  LinkAnswer lower;
  LinkAnswer upper;
  world_->upper().Expect(other, at_other_upper, kLong, upper.done());
  world_->lower().Connect(other, world_->upper_address(), at_other_lower, kLong,
                          lower.done());
  SC_ASSERT_OK_AND_ASSIGN(const auto other_lower, lower.Take());
  SC_ASSERT_OK_AND_ASSIGN(const auto other_upper, upper.Take());

  ASSERT_THAT(ends.lower->Send(SampleFrame(1)), IsOk());
  ASSERT_THAT(other_lower->Send(SampleFrame(2)), IsOk());

  EXPECT_THAT(at_upper_.WaitForItems(1), ElementsAre(ItemId(1)));
  EXPECT_THAT(at_other_upper.WaitForItems(1), ElementsAre(ItemId(2)));
}

TEST_P(LinkContract, RefusesAnOlderGeneration) {
  LinkAnswer expected;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, expected.done());
  LinkSpec stale = SampleLinkSpec();
  stale.generation = Generation(2);

  EXPECT_THAT(ConnectWith(stale, kLong),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("generation 2"), HasSubstr("3"))));

  EXPECT_EQ(expected.answers(), 0);
  world_->upper().Forget(stale.job, Generation(3));
}

TEST_P(LinkContract, WaitsForAGenerationThatIsNotExpectedYet) {
  LinkSpec next = SampleLinkSpec();
  next.generation = Generation(4);
  LinkAnswer older;
  LinkAnswer upper;
  LinkAnswer lower;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, older.done());
  world_->lower().Connect(next, world_->upper_address(), at_lower_, kLong,
                          lower.done());

  world_->upper().Expect(next, at_upper_, kLong, upper.done());

  EXPECT_THAT(lower.Take(), IsOk());
  EXPECT_THAT(upper.Take(), IsOk());
  world_->upper().Forget(next.job, Generation(3));
  EXPECT_THAT(older.Take(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(LinkContract, RefusesAnotherBoundaryAndGivesBoth) {
  LinkAnswer expected;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, expected.done());
  LinkSpec other = SampleLinkSpec();
  other.boundary_digest = "float32 32";

  EXPECT_THAT(ConnectWith(other, kLong),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("[float32 16 with gradient]"),
                             HasSubstr("[float32 32]"))));
  EXPECT_EQ(expected.answers(), 0);
  world_->upper().Forget(other.job, other.generation);
}

TEST_P(LinkContract, RefusesAnotherRoomInItemsOrBytes) {
  LinkAnswer expected;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, expected.done());
  LinkSpec fewer = SampleLinkSpec();
  fewer.downward_items = {3, 0};
  LinkSpec smaller = SampleLinkSpec();
  smaller.max_item_bytes = 4096;

  EXPECT_THAT(ConnectWith(fewer, kLong),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("training downward 4"),
                             HasSubstr("training downward 3"))));
  EXPECT_THAT(ConnectWith(smaller, kLong),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("4096")));
  world_->upper().Forget(fewer.job, fewer.generation);
}

TEST_P(LinkContract, RefusesAnInvalidSpecAtBothEnds) {
  LinkSpec nameless = SampleLinkSpec();
  nameless.job = JobId();
  LinkAnswer expected;

  world_->upper().Expect(nameless, at_upper_, kLong, expected.done());

  EXPECT_THAT(expected.Take(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ConnectWith(nameless, kLong),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST_P(LinkContract, GivesUpConnectingAfterItsTimeout) {
  EXPECT_THAT(ConnectWith(SampleLinkSpec(), kShort),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       AllOf(HasSubstr("stage 1"), HasSubstr("of job job"),
                             HasSubstr("within 200ms"))));
}

TEST_P(LinkContract, GivesUpExpectingAfterItsTimeoutAndSaysWhomItRefused) {
  LinkAnswer expected;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, absl::Seconds(2),
                         expected.done());
  LinkSpec other = SampleLinkSpec();
  other.boundary_digest = "float32 32";
  ASSERT_THAT(ConnectWith(other, kLong), Not(IsOk()));

  EXPECT_THAT(expected.Take(), StatusIs(absl::StatusCode::kDeadlineExceeded,
                                        AllOf(HasSubstr("stage 0 of job job"),
                                              HasSubstr("[float32 32]"))));
}

TEST_P(LinkContract, ExpectsALinkOnlyOnce) {
  LinkAnswer first;
  LinkAnswer second;

  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, first.done());
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, second.done());

  EXPECT_THAT(second.Take(), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_EQ(first.answers(), 0);
  world_->upper().Forget(JobId("job"), Generation(3));
}

TEST_P(LinkContract, ForgetsWhatStillWaits) {
  LinkAnswer upper;
  LinkAnswer lower;
  LinkSpec elsewhere = SampleLinkSpec();
  elsewhere.lower = StageIndex(7);
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, upper.done());
  world_->lower().Connect(elsewhere, world_->upper_address(), at_lower_, kLong,
                          lower.done());

  world_->upper().Forget(JobId("job"), Generation(3));
  world_->lower().Forget(JobId("job"), Generation(3));

  EXPECT_THAT(upper.Take(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(lower.Take(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(LinkContract, ForgetsNothingElse) {
  LinkAnswer upper;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, upper.done());

  world_->upper().Forget(JobId("job"), Generation(2));
  world_->upper().Forget(JobId("another"), Generation(3));

  EXPECT_THAT(ConnectWith(SampleLinkSpec(), kLong), IsOk());
  EXPECT_THAT(upper.Take(), IsOk());
}

TEST_P(LinkContract, AnswersWhatStillWaitsWhenTheNetworkGoes) {
  LinkAnswer upper;
  world_->upper().Expect(SampleLinkSpec(), at_upper_, kLong, upper.done());

  world_.reset();

  EXPECT_THAT(upper.Take(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(upper.answers(), 1);
}

}  // namespace
}  // namespace stagecoach

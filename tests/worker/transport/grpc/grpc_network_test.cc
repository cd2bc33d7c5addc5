#include "worker/transport/grpc/grpc_network.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/contract/grpc_link_world.h"
#include "tests/fakes/fake_random.h"
#include "tests/fakes/link_maker.h"
#include "tests/fakes/recording_receiver.h"
#include "tests/fakes/tcp_relay.h"
#include "tests/support/status_matchers.h"
#include "worker/transport/grpc/convert_link.h"
#include "worker/transport/grpc/frame_wire.h"

namespace stagecoach {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr absl::Duration kLong = absl::Seconds(30);

// A caller of Exchange that says what it likes.
class RawCaller {
 public:
  explicit RawCaller(const std::string& address)
      : stub_(v1::DataPlaneService::NewStub(
            grpc::CreateChannel(address, grpc::InsecureChannelCredentials()))),
        stream_(stub_->Exchange(&context_)) {
    context_.set_deadline(std::chrono::system_clock::now() +
                          std::chrono::seconds(30));
  }

  // Says it and returns how the call ends; what comes meanwhile is kept.
  grpc::Status SayAndListen(const std::vector<v1::Frame>& frames) {
    for (const v1::Frame& frame : frames) stream_->Write(frame);
    v1::Frame frame;
    while (stream_->Read(&frame)) heard_.push_back(frame);
    return stream_->Finish();
  }

  const std::vector<v1::Frame>& heard() const { return heard_; }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<v1::DataPlaneService::Stub> stub_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::Frame, v1::Frame>> stream_;
  std::vector<v1::Frame> heard_;
};

v1::Frame Offer(const LinkSpec& spec = SampleLinkSpec()) {
  v1::Frame frame;
  *frame.mutable_offer() = ToProto(spec);
  return frame;
}

// The first chunk of a frame of `bytes` bytes, without its payload.
v1::Frame FirstChunk(int64_t bytes) {
  v1::Frame frame;
  v1::ItemChunk& chunk = *frame.mutable_chunk();
  chunk.set_lane(v1::LANE_TRAINING);
  chunk.mutable_header()->set_generation(3);
  v1::TensorHeader& tensor = *chunk.mutable_header()->add_tensors();
  tensor.set_data_type(v1::DATA_TYPE_UINT8);
  tensor.add_shape(bytes);
  tensor.add_order(0);
  return frame;
}

class GrpcNetworkTest : public testing::Test {
 protected:
  // What an expecting worker makes of a caller that says `frames`.
  grpc::Status Say(const std::vector<v1::Frame>& frames) {
    LinkAnswer answer;
    worker_.network().Expect(SampleLinkSpec(), at_upper_, kLong, answer.done());
    const grpc::Status ended =
        RawCaller(worker_.address()).SayAndListen(frames);
    worker_.network().Forget(JobId("job"), Generation(3));
    upper_ = answer.Take();
    return ended;
  }

  AlignedFrameMemory memory_;
  FakeRandom random_;
  RecordingReceiver at_lower_;
  RecordingReceiver at_upper_;
  GrpcWorker worker_{memory_, random_};
  absl::StatusOr<std::unique_ptr<Link>> upper_ = absl::UnknownError("");
};

TEST_F(GrpcNetworkTest, TalksToAnyClientOfTheProto) {
  v1::Frame chunk = FirstChunk(3);
  chunk.set_payload("abc");
  v1::Frame goodbye;
  goodbye.mutable_goodbye();
  LinkAnswer answer;
  worker_.network().Expect(SampleLinkSpec(), at_upper_, kLong, answer.done());
  grpc::ClientContext context;
  auto stub = v1::DataPlaneService::NewStub(grpc::CreateChannel(
      worker_.address(), grpc::InsecureChannelCredentials()));
  auto stream = stub->Exchange(&context);

  stream->Write(Offer());
  stream->Write(chunk);
  SC_ASSERT_OK_AND_ASSIGN(const auto upper, answer.Take());
  ASSERT_THAT(at_upper_.WaitForFrames(1), SizeIs(1));
  upper->Consumed(Lane::kTraining);
  v1::Frame accepted;
  v1::Frame credit;
  ASSERT_TRUE(stream->Read(&accepted));
  ASSERT_TRUE(stream->Read(&credit));
  stream->Write(goodbye);
  stream->WritesDone();

  EXPECT_TRUE(accepted.has_accepted());
  EXPECT_EQ(credit.credit().consumed(), 1);
  EXPECT_TRUE(stream->Finish().ok());
  EXPECT_THAT(at_upper_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable,
                                HasSubstr("closed the link"))));
}

TEST_F(GrpcNetworkTest, RefusesACallerWhoOffersNothing) {
  const grpc::Status ended = Say({FirstChunk(3)});

  EXPECT_EQ(ended.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(ended.error_message(), HasSubstr("begins with an offer"));
  EXPECT_THAT(upper_, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcNetworkTest, RefusesAnotherProtocol) {
  v1::Frame offer = Offer();
  offer.mutable_offer()->set_protocol(2);

  const grpc::Status ended = Say({offer});

  EXPECT_EQ(ended.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(ended.error_message(), HasSubstr("version 2"));
}

TEST_F(GrpcNetworkTest, AnswersNotFoundWhereNothingIsExpected) {
  EXPECT_EQ(RawCaller(worker_.address()).SayAndListen({Offer()}).error_code(),
            grpc::StatusCode::NOT_FOUND);
}

TEST_F(GrpcNetworkTest, BreaksOffWithAPeerThatBreaksTheRules) {
  v1::Frame torn = FirstChunk(3);
  torn.set_payload("abcd");
  v1::Frame huge = FirstChunk(int64_t{1} << 40);
  huge.set_payload("a");
  v1::Frame stale = FirstChunk(1);
  stale.mutable_chunk()->mutable_header()->set_generation(2);
  v1::Frame headless = FirstChunk(1);
  headless.mutable_chunk()->clear_header();
  v1::Frame laneless = FirstChunk(1);
  laneless.mutable_chunk()->set_lane(v1::LANE_UNSPECIFIED);
  v1::Frame skipping = FirstChunk(1);
  skipping.mutable_chunk()->set_sequence(1);
  v1::Frame credit;
  credit.mutable_credit()->set_lane(v1::LANE_TRAINING);
  credit.mutable_credit()->set_consumed(1);

  for (const v1::Frame& bad : {torn, huge, stale, headless, laneless, skipping,
                               credit, Offer(), v1::Frame()}) {
    RecordingReceiver receiver;
    LinkAnswer answer;
    worker_.network().Expect(SampleLinkSpec(), receiver, kLong, answer.done());

    RawCaller caller(worker_.address());
    const grpc::Status ended = caller.SayAndListen({Offer(), bad});

    EXPECT_EQ(ended.error_code(), grpc::StatusCode::INVALID_ARGUMENT)
        << bad.ShortDebugString();
    EXPECT_THAT(receiver.WaitForPeerLost(),
                Optional(StatusIs(absl::StatusCode::kDataLoss)));
    EXPECT_THAT(receiver.frames(), IsEmpty());
    EXPECT_THAT(answer.Take(), IsOk());
  }
}

TEST_F(GrpcNetworkTest, BreaksOffWithAPeerThatIgnoresTheWindow) {
  std::vector<v1::Frame> frames = {Offer()};
  for (int i = 0; i < 5; ++i) {
    frames.push_back(FirstChunk(1));
    frames.back().mutable_chunk()->set_sequence(i);
    frames.back().set_payload("a");
  }

  const grpc::Status ended = Say(frames);

  EXPECT_EQ(ended.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(ended.error_message(), HasSubstr("window of 4 items"));
  EXPECT_THAT(at_upper_.frames(), SizeIs(4));
}

// Says `bytes` bytes of 0xFF in one message and returns how the call ends. They
// are one block many times, so that the caller itself holds little.
grpc::Status SayGarbage(const std::string& address, size_t bytes) {
  const size_t block = std::min(bytes, size_t{1} << 20);
  const std::vector<grpc::Slice> slices(
      bytes / block, grpc::Slice(std::string(block, '\xFF')));
  const grpc::ByteBuffer garbage(slices.data(), slices.size());
  grpc::GenericStub stub(
      grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto stream = stub.PrepareCall(
      &context, "/stagecoach.v1.DataPlaneService/Exchange", &queue);
  void* tag = nullptr;
  bool ok = false;
  grpc::Status ended;
  stream->StartCall(nullptr);
  queue.Next(&tag, &ok);
  stream->Write(garbage, nullptr);
  queue.Next(&tag, &ok);
  stream->Finish(&ended, nullptr);
  queue.Next(&tag, &ok);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
  return ended;
}

int64_t PeakMemoryBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} << 10;
}

TEST_F(GrpcNetworkTest, RefusesGarbage) {
  for (const size_t bytes : {size_t{1}, size_t{100}, size_t{1} << 20}) {
    EXPECT_EQ(SayGarbage(worker_.address(), bytes).error_code(),
              grpc::StatusCode::INVALID_ARGUMENT);
  }
}

TEST_F(GrpcNetworkTest, RefusesAMessageAboveTheLimit) {
  EXPECT_EQ(SayGarbage(worker_.address(), size_t{2} << 20).error_code(),
            grpc::StatusCode::RESOURCE_EXHAUSTED);
}

TEST_F(GrpcNetworkTest, BoundsWhatItKeepsOfAnEndlessMessage) {
  const GrpcWorker hasty(memory_, random_, {.offer_timeout = absl::Seconds(1)});
  const int64_t before = PeakMemoryBytes();

  EXPECT_FALSE(SayGarbage(hasty.address(), size_t{1} << 30).ok());

  EXPECT_LT(PeakMemoryBytes() - before, int64_t{320} << 20);
}

TEST_F(GrpcNetworkTest, KeepsLinksOfOneWorkerInTheProcess) {
  LinkAnswer lower;
  LinkAnswer upper;
  worker_.network().Expect(SampleLinkSpec(), at_upper_, kLong, upper.done());
  worker_.network().Connect(SampleLinkSpec(), worker_.address(), at_lower_,
                            kLong, lower.done());
  SC_ASSERT_OK_AND_ASSIGN(const auto lower_end, lower.Take());
  SC_ASSERT_OK_AND_ASSIGN(const auto upper_end, upper.Take());
  const Frame sent = SampleFrame(7);

  ASSERT_THAT(lower_end->Send(sent), IsOk());

  const std::vector<Frame> frames = at_upper_.WaitForFrames(1);
  ASSERT_THAT(frames, SizeIs(1));
  EXPECT_EQ(frames[0].tensors[0].data, sent.tensors[0].data);
}

// A link of two workers through a relay.
class SpoiledLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    LinkAnswer lower;
    LinkAnswer upper;
    upper_worker_.network().Expect(SampleLinkSpec(), at_upper_, kLong,
                                   upper.done());
    lower_worker_.network().Connect(SampleLinkSpec(), relay_.address(),
                                    at_lower_, kLong, lower.done());
    SC_ASSERT_OK_AND_ASSIGN(lower_, lower.Take());
    SC_ASSERT_OK_AND_ASSIGN(upper_, upper.Take());
  }

  explicit SpoiledLinkTest(absl::Duration keepalive = absl::Seconds(1))
      : options_{.keepalive_time = keepalive,
                 .keepalive_timeout = keepalive,
                 .flush_timeout = absl::Milliseconds(500)} {}

  const GrpcNetwork::Options options_;
  AlignedFrameMemory memory_;
  FakeRandom random_;
  RecordingReceiver at_lower_;
  RecordingReceiver at_upper_;
  GrpcWorker lower_worker_{memory_, random_, options_};
  GrpcWorker upper_worker_{memory_, random_, options_};
  TcpRelay relay_{upper_worker_.address()};
  std::unique_ptr<Link> lower_;
  std::unique_ptr<Link> upper_;
};

// What it is told it is told before a keepalive could have been missed.
class WatchedLinkTest : public SpoiledLinkTest {
 protected:
  WatchedLinkTest() : SpoiledLinkTest(/*keepalive=*/absl::Minutes(10)) {}
};

TEST_F(WatchedLinkTest, TellsBothEndsAtOnceThatTheConnectionBroke) {
  ASSERT_THAT(lower_->Send(SampleFrame(0)), IsOk());
  ASSERT_THAT(at_upper_.WaitForFrames(1), SizeIs(1));

  relay_.Cut();

  EXPECT_THAT(at_lower_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable,
                                HasSubstr("stage 1 at 127.0.0.1:"))));
  EXPECT_THAT(
      at_upper_.WaitForPeerLost(),
      Optional(StatusIs(absl::StatusCode::kUnavailable, HasSubstr("broke"))));
}

TEST_F(SpoiledLinkTest, TellsThatTheConnectionBrokeWhileFramesWereUnderWay) {
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(lower_->Send(SampleFrame(i, 4 << 20)), IsOk());
    ASSERT_THAT(upper_->Send(SampleFrame(i, 4 << 20)), IsOk());
  }

  relay_.Cut();

  EXPECT_THAT(at_lower_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
  EXPECT_THAT(at_upper_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
  EXPECT_EQ(at_lower_.calls_after_peer_lost(), 0);
  EXPECT_EQ(at_upper_.calls_after_peer_lost(), 0);
}

TEST_F(SpoiledLinkTest, TellsBothEndsThatThePeerFroze) {
  relay_.Freeze();

  EXPECT_THAT(at_lower_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
  EXPECT_THAT(at_upper_.WaitForPeerLost(),
              Optional(StatusIs(absl::StatusCode::kUnavailable)));
}

TEST_F(SpoiledLinkTest, EndsWithinItsTimeoutThoughThePeerFroze) {
  const SystemClock clock;
  for (int i = 0; i < 4; ++i) {
    ASSERT_THAT(lower_->Send(SampleFrame(i, 4 << 20)), IsOk());
  }
  relay_.Freeze();
  const absl::Duration before = clock.Now();

  lower_->Close();
  lower_worker_.network().Drain(kLong);

  EXPECT_LT(clock.Now() - before, absl::Seconds(10));
}

TEST_F(SpoiledLinkTest, LetsGoOfTensorsOnceThePeerIsLost) {
  const Frame frame = SampleFrame(0, 4 << 20);
  for (int i = 0; i < 4; ++i) ASSERT_THAT(lower_->Send(frame), IsOk());

  relay_.Cut();

  ASSERT_TRUE(at_lower_.WaitForPeerLost().has_value());
  lower_->Close();
  lower_worker_.network().Drain(kLong);
  EXPECT_EQ(frame.tensors[0].data.use_count(), 1);
}

}  // namespace
}  // namespace stagecoach

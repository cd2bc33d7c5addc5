#include "worker/transport/grpc/grpc_link.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/base/status_macros.h"
#include "worker/transport/grpc/convert_link.h"

namespace stagecoach {
namespace {

Direction Opposite(Direction direction) {
  return direction == Direction::kUpward ? Direction::kDownward
                                         : Direction::kUpward;
}

size_t IndexOf(Lane lane) { return static_cast<size_t>(lane); }

// Evaluation items are few, and whoever waits for one waits for a result.
constexpr std::array<Lane, kNumLanes> kByPriority = {Lane::kEvaluation,
                                                     Lane::kTraining};

}  // namespace

GrpcLinkCore::GrpcLinkCore(Options options, FrameReceiver& receiver,
                           std::shared_ptr<DataPlaneThread> thread,
                           FrameMemory& memory)
    : options_(std::move(options)),
      thread_(std::move(thread)),
      gate_(receiver),
      assemblers_{FrameAssembler(options_.spec, Opposite(options_.sends),
                                 Lane::kTraining, memory),
                  FrameAssembler(options_.spec, Opposite(options_.sends),
                                 Lane::kEvaluation, memory)},
      lanes_{LaneState(options_, Lane::kTraining),
             LaneState(options_, Lane::kEvaluation)} {}

GrpcLinkCore::LaneState::LaneState(const Options& options, Lane lane)
    : sending(ItemsOf(options.spec, options.sends, lane)),
      receiving(ItemsOf(options.spec, Opposite(options.sends), lane)) {}

void GrpcLinkCore::Run(std::shared_ptr<OutgoingCall> call) {
  outgoing_ = std::move(call);
  call_ = outgoing_.get();
  ReadNext();
  Pump();
}

void GrpcLinkCore::Run(std::shared_ptr<IncomingCall> call) {
  incoming_ = std::move(call);
  call_ = incoming_.get();
  ReadNext();
  Pump();
}

absl::Status GrpcLinkCore::Send(Frame frame) {
  SC_RETURN_IF_ERROR(CheckFrame(options_.spec, options_.sends, frame));
  const MutexLock lock(mutex_);
  if (closing_) return absl::UnavailableError("the link is closed");
  SC_RETURN_IF_ERROR(lost_);
  LaneState& lane = lanes_[IndexOf(frame.lane)];
  if (!lane.sending.TryTake()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("all ", NameOf(frame.lane), " items are under way"));
  }
  traffic_.frames_sent += 1;
  traffic_.bytes_sent += frame.bytes();
  lane.queue.emplace_back(std::move(frame), kMaxPayloadBytes);
  WakeLocked();
  return absl::OkStatus();
}

void GrpcLinkCore::Consumed(Lane lane) {
  const MutexLock lock(mutex_);
  lanes_[IndexOf(lane)].receiving.Consume();
  WakeLocked();
}

void GrpcLinkCore::Close() {
  gate_.Shut();
  const MutexLock lock(mutex_);
  if (std::exchange(closing_, true)) return;
  WakeLocked();
  EndWithin(options_.flush_timeout);
}

Link::Traffic GrpcLinkCore::traffic() const {
  const MutexLock lock(mutex_);
  return traffic_;
}

void GrpcLinkCore::WakeLocked() {
  if (std::exchange(pump_posted_, true)) return;
  thread_->Post([self = shared_from_this()] {
    {
      const MutexLock lock(self->mutex_);
      self->pump_posted_ = false;
    }
    self->Pump();
  });
}

// Whatever the peer does or fails to do, the call ends.
void GrpcLinkCore::EndWithin(absl::Duration timeout) {
  thread_->PostAfter(timeout, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self != nullptr && self->call_ != nullptr) self->call_->Cancel();
  });
}

void GrpcLinkCore::Pump() {
  const bool may_write = call_ != nullptr && !writing_ && !write_failed_ &&
                         !half_closed_ && !finishing_;
  if (!may_write) return;
  if (std::optional<grpc::ByteBuffer> message = NextMessage()) {
    writing_ = true;
    call_->Write(*message,
                 [self = shared_from_this()](bool ok) { self->OnWritten(ok); });
  } else if (outgoing_ != nullptr && (goodbye_sent_ || goodbye_received_)) {
    half_closed_ = true;
    writing_ = true;
    outgoing_->HalfClose(
        [self = shared_from_this()](bool ok) { self->OnWritten(ok); });
  }
}

std::optional<grpc::ByteBuffer> GrpcLinkCore::NextMessage() {
  const MutexLock lock(mutex_);
  if (goodbye_sent_ || !lost_.ok()) return std::nullopt;
  if (auto credit = NextCreditLocked()) return credit;
  if (auto chunk = NextChunkLocked()) return chunk;
  if (!closing_) return std::nullopt;
  goodbye_sent_ = true;
  v1::Frame head;
  head.mutable_goodbye();
  return EncodeFrame(head, {});
}

std::optional<grpc::ByteBuffer> GrpcLinkCore::NextCreditLocked() {
  for (const Lane lane : kByPriority) {
    const auto total = lanes_[IndexOf(lane)].receiving.TakeCredit();
    if (!total.has_value()) continue;
    v1::Frame head;
    head.mutable_credit()->set_lane(ToProto(lane));
    head.mutable_credit()->set_consumed(*total);
    return EncodeFrame(head, {});
  }
  return std::nullopt;
}

std::optional<grpc::ByteBuffer> GrpcLinkCore::NextChunkLocked() {
  for (const Lane lane : kByPriority) {
    LaneState& state = lanes_[IndexOf(lane)];
    if (state.queue.empty()) continue;
    FrameCutter& cutter = state.queue.front();
    const FrameCutter::Chunk chunk = cutter.Next();
    v1::Frame head;
    head.mutable_chunk()->set_lane(ToProto(lane));
    head.mutable_chunk()->set_sequence(state.next_sequence);
    head.mutable_chunk()->set_offset(chunk.offset);
    if (chunk.offset == 0) {
      *head.mutable_chunk()->mutable_header() = HeaderOf(cutter.frame());
    }
    if (cutter.done()) {
      state.queue.pop_front();
      ++state.next_sequence;
    }
    return EncodeFrame(head, chunk.pieces);
  }
  return std::nullopt;
}

void GrpcLinkCore::OnWritten(bool ok) {
  writing_ = false;
  write_failed_ = write_failed_ || !ok;
  Pump();
  Advance();
}

void GrpcLinkCore::ReadNext() {
  call_->Read(received_,
              [self = shared_from_this()](bool ok) { self->OnRead(ok); });
}

void GrpcLinkCore::OnRead(bool ok) {
  if (!ok) {
    reads_ended_ = true;
    // The calling side learns the reason when it finishes the call.
    if (incoming_ != nullptr && !goodbye_received_) {
      Lose(absl::UnavailableError(
          absl::StrCat("the connection with ", call_->peer(), " broke")));
    }
    Advance();
    Release();
    return;
  }
  const absl::StatusOr<WireFrame> message = DecodeFrame(received_);
  received_.Clear();  // what is left of it is in `message`
  absl::Status status = message.status();
  if (status.ok() && broken_off_.ok()) status = OnMessage(*message);
  if (!status.ok()) BreakOff(status);
  ReadNext();
}

absl::Status GrpcLinkCore::OnMessage(const WireFrame& message) {
  if (goodbye_received_) {
    return absl::InvalidArgumentError("a message after the goodbye");
  }
  switch (message.head.content_case()) {
    case v1::Frame::kChunk:
      return OnChunk(message);
    case v1::Frame::kCredit:
      return OnCredit(message.head.credit());
    case v1::Frame::kGoodbye:
      OnGoodbye();
      return absl::OkStatus();
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "a message of kind ", message.head.content_case(), " within a link"));
  }
}

absl::Status GrpcLinkCore::OnChunk(const WireFrame& message) {
  SC_ASSIGN_OR_RETURN(const ChunkHeader header,
                      FromProto(message.head.chunk()));
  FrameAssembler& assembler = assemblers_[IndexOf(header.lane)];
  if (header.frame.has_value()) {
    {
      const MutexLock lock(mutex_);
      SC_RETURN_IF_ERROR(lanes_[IndexOf(header.lane)].receiving.Accept());
    }
    SC_RETURN_IF_ERROR(assembler.Begin(header));
  }
  std::vector<absl::Span<const std::byte>> parts;
  for (const grpc::Slice& slice : message.payload) {
    parts.emplace_back(reinterpret_cast<const std::byte*>(slice.begin()),
                       slice.size());
  }
  SC_ASSIGN_OR_RETURN(std::optional<Frame> frame, assembler.Add(header, parts));
  if (!frame.has_value()) return absl::OkStatus();
  {
    const MutexLock lock(mutex_);
    traffic_.frames_received += 1;
    traffic_.bytes_received += frame->bytes();
  }
  gate_.Call([&frame](FrameReceiver& receiver) {
    receiver.OnFrame(*std::move(frame));
  });
  return absl::OkStatus();
}

absl::Status GrpcLinkCore::OnCredit(const v1::LinkCredit& credit) {
  SC_ASSIGN_OR_RETURN(const Lane lane, FromProto(credit.lane()));
  bool writable = false;
  {
    const MutexLock lock(mutex_);
    SC_ASSIGN_OR_RETURN(
        writable, lanes_[IndexOf(lane)].sending.Credit(credit.consumed()));
  }
  if (writable) {
    gate_.Call([lane](FrameReceiver& receiver) { receiver.OnWritable(lane); });
  }
  return absl::OkStatus();
}

void GrpcLinkCore::OnGoodbye() {
  goodbye_received_ = true;
  Lose(absl::UnavailableError(absl::StrCat(call_->peer(), " closed the link")));
  EndWithin(options_.flush_timeout);
  Pump();
}

// Nothing more is sent, and the receiver hears of it, once.
void GrpcLinkCore::Lose(const absl::Status& why) {
  std::array<std::deque<FrameCutter>, kNumLanes> dropped;  // outlives the lock
  {
    const MutexLock lock(mutex_);
    if (!lost_.ok()) return;
    lost_ = why;
    for (const Lane lane : kByPriority) {
      dropped[IndexOf(lane)].swap(lanes_[IndexOf(lane)].queue);
    }
  }
  gate_.CallLast([&why](FrameReceiver& receiver) { receiver.OnPeerLost(why); });
}

// The peer broke the rules: tells it so, where the protocol lets us.
void GrpcLinkCore::BreakOff(const absl::Status& why) {
  if (!broken_off_.ok()) return;
  broken_off_ = why;
  Lose(absl::DataLossError(absl::StrCat(call_->peer(), " sent what no stage ",
                                        "sends: ", why.message())));
  if (outgoing_ != nullptr) outgoing_->Cancel();
  EndWithin(absl::Seconds(1));
  Advance();
}

// Ends the call once its last operation but reading is over.
void GrpcLinkCore::Advance() {
  if (finishing_ || writing_ || call_ == nullptr) return;
  if (outgoing_ != nullptr && reads_ended_) {
    finishing_ = true;
    outgoing_->Finish([self = shared_from_this()](const absl::Status& ended) {
      self->Lose(absl::UnavailableError(
          ended.ok() ? self->call_->peer() + " ended the call without goodbye"
                     : std::string(ended.message())));
      self->finished_ = true;
      self->Release();
    });
  } else if (incoming_ != nullptr && (reads_ended_ || !broken_off_.ok())) {
    finishing_ = true;
    incoming_->Finish(broken_off_, [self = shared_from_this()](bool /*ok*/) {
      self->finished_ = true;
      self->Release();
    });
  }
}

void GrpcLinkCore::Release() {
  if (!finished_ || !reads_ended_) return;
  call_ = nullptr;
  outgoing_.reset();
  incoming_.reset();
}

}  // namespace stagecoach

#include "worker/transport/grpc/link_connector.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "worker/transport/grpc/convert_link.h"
#include "worker/transport/grpc/frame_wire.h"
#include "worker/transport/grpc/grpc_link.h"

namespace stagecoach {
namespace {

// The other end may not be up or not have its orders yet.
bool WorthAnotherTry(const absl::Status& failure) {
  return absl::IsUnavailable(failure) || absl::IsNotFound(failure) ||
         absl::IsResourceExhausted(failure);
}

grpc::ByteBuffer Offer(const LinkSpec& spec) {
  v1::Frame head;
  *head.mutable_offer() = ToProto(spec);
  return EncodeFrame(head, {});
}

bool IsAcceptance(const grpc::ByteBuffer& bytes) {
  const absl::StatusOr<WireFrame> frame = DecodeFrame(bytes);
  return frame.ok() && frame->head.content_case() == v1::Frame::kAccepted &&
         frame->head.accepted().protocol() == kLinkProtocol;
}

}  // namespace

LinkConnector::LinkConnector(Options options,
                             std::shared_ptr<grpc::Channel> channel,
                             FrameReceiver& receiver, LinkNetwork::Done done,
                             std::shared_ptr<DataPlaneThread> thread,
                             FrameMemory& memory, Random& random)
    : options_(std::move(options)),
      channel_(std::move(channel)),
      receiver_(receiver),
      done_(std::move(done)),
      thread_(std::move(thread)),
      memory_(memory),
      backoff_(random) {}

std::string LinkConnector::Peer() const {
  return absl::StrCat("stage ", options_.spec.lower.value() + 1, " at ",
                      options_.address);
}

void LinkConnector::Start() {
  thread_->PostAfter(options_.timeout, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Expire();
  });
  Try();
}

void LinkConnector::Try() {
  if (ended()) return;
  auto call = std::make_shared<OutgoingCall>(*thread_, channel_, Peer());
  const auto self = shared_from_this();
  const bool started = call->Start([self, call](bool ok) {
    if (!ok) {
      self->OnFailed(call);
      return;
    }
    call->Write(Offer(self->options_.spec), [self, call](bool /*ok*/) {
      // Reading tells what became of it.
      call->Read(self->answer_,
                 [self, call](bool ok) { self->OnAnswer(call, ok); });
    });
  });
  if (!started) {
    GiveUp(absl::CancelledError("the worker stops"));
    return;
  }
  call_ = std::move(call);
}

void LinkConnector::OnAnswer(const std::shared_ptr<OutgoingCall>& call,
                             bool ok) {
  if (!ok) {
    OnFailed(call);
    return;
  }
  if (!ended() && IsAcceptance(answer_)) {
    Succeed(call);
    return;
  }
  misunderstood_ = true;
  call->Cancel();
  call->Read(answer_, [self = shared_from_this(), call](bool ok) {
    self->OnAnswer(call, ok);
  });
}

void LinkConnector::OnFailed(const std::shared_ptr<OutgoingCall>& call) {
  call->Finish([self = shared_from_this(), call](const absl::Status& ended) {
    self->call_.reset();
    self->TryAgain(self->misunderstood_
                       ? absl::InvalidArgumentError(absl::StrCat(
                             self->Peer(), " answered with something else",
                             " than a link"))
                       : ended);
  });
}

void LinkConnector::TryAgain(const absl::Status& failure) {
  if (ended()) return;
  if (!WorthAnotherTry(failure)) {
    GiveUp(failure.ok() ? absl::InvalidArgumentError(absl::StrCat(
                              Peer(), " ended the call without an answer"))
                        : failure);
    return;
  }
  trouble_ = failure;
  thread_->PostAfter(backoff_.Next(), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Try();
  });
}

void LinkConnector::Succeed(std::shared_ptr<OutgoingCall> call) {
  call_.reset();
  auto core = std::make_shared<GrpcLinkCore>(
      GrpcLinkCore::Options{.spec = options_.spec,
                            .sends = Direction::kUpward,
                            .flush_timeout = options_.flush_timeout},
      receiver_, thread_, memory_);
  std::exchange(done_, nullptr)(std::make_unique<GrpcLink>(core));
  core->Run(std::move(call));
}

void LinkConnector::Expire() {
  GiveUp(absl::DeadlineExceededError(absl::StrCat(
      Peer(), " of job ", options_.spec.job.value(), " did not take the link",
      " within ", absl::FormatDuration(options_.timeout),
      trouble_.ok() ? "" : "; last: ", trouble_.message())));
}

void LinkConnector::GiveUp(const absl::Status& why) {
  if (ended()) return;
  std::exchange(done_, nullptr)(why);
  if (call_ != nullptr) call_->Cancel();
}

}  // namespace stagecoach

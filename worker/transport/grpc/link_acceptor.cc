#include "worker/transport/grpc/link_acceptor.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "worker/transport/grpc/convert_link.h"
#include "worker/transport/grpc/frame_wire.h"
#include "worker/transport/grpc/grpc_link.h"

namespace stagecoach {
namespace {

absl::StatusOr<LinkSpec> OfferIn(const grpc::ByteBuffer& bytes) {
  SC_ASSIGN_OR_RETURN(const WireFrame frame, DecodeFrame(bytes));
  if (frame.head.content_case() != v1::Frame::kOffer) {
    return absl::InvalidArgumentError("a link begins with an offer");
  }
  return FromProto(frame.head.offer());
}

grpc::ByteBuffer Acceptance() {
  v1::Frame head;
  head.mutable_accepted()->set_protocol(kLinkProtocol);
  return EncodeFrame(head, {});
}

}  // namespace

// A call whose offer is awaited or was refused. Its operations hold it.
struct LinkAcceptor::Caller {
  explicit Caller(DataPlaneThread& thread)
      : call(std::make_shared<IncomingCall>(thread)) {}

  std::shared_ptr<IncomingCall> call;
  grpc::ByteBuffer message;
  bool waiting = true;  // for its offer
};

LinkAcceptor::LinkAcceptor(Options options, RawDataPlaneService& service,
                           grpc::ServerCompletionQueue& queue,
                           std::shared_ptr<DataPlaneThread> thread,
                           std::shared_ptr<Rendezvous> rendezvous,
                           FrameMemory& memory)
    : options_(std::move(options)),
      service_(service),
      queue_(queue),
      thread_(std::move(thread)),
      rendezvous_(std::move(rendezvous)),
      memory_(memory) {}

void LinkAcceptor::AcceptNext() {
  auto caller = std::make_shared<Caller>(*thread_);
  caller->call->Accept(service_, queue_,
                       [self = shared_from_this(), caller](bool ok) {
                         if (!ok) return;
                         self->AcceptNext();
                         self->OnCaller(caller);
                       });
}

void LinkAcceptor::OnCaller(const std::shared_ptr<Caller>& caller) {
  if (++waiting_callers_ > options_.max_waiting_callers) {
    Refuse(caller, absl::ResourceExhaustedError(
                       "too many callers wait to offer a link; try again"));
    return;
  }
  caller->call->Read(caller->message,
                     [self = shared_from_this(), caller](bool ok) {
                       self->OnOffer(caller, ok);
                     });
  thread_->PostAfter(options_.offer_timeout,
                     [weak = std::weak_ptr<Caller>(caller)] {
                       const auto caller = weak.lock();
                       if (caller && caller->waiting) caller->call->Cancel();
                     });
}

void LinkAcceptor::OnOffer(const std::shared_ptr<Caller>& caller, bool ok) {
  absl::StatusOr<LinkSpec> offered =
      ok ? OfferIn(caller->message)
         : absl::CancelledError("the caller left without an offer");
  caller->message.Clear();
  if (!offered.ok()) {
    Refuse(caller, offered.status());
    return;
  }
  absl::StatusOr<Rendezvous::End> end =
      rendezvous_->Take(options_.address, *offered);
  if (!end.ok()) {
    Refuse(caller, end.status());
    return;
  }
  Take(caller, *std::move(end));
}

void LinkAcceptor::Take(const std::shared_ptr<Caller>& caller,
                        Rendezvous::End end) {
  caller->waiting = false;
  --waiting_callers_;
  auto core = std::make_shared<GrpcLinkCore>(
      GrpcLinkCore::Options{.spec = end.spec,
                            .sends = Direction::kDownward,
                            .flush_timeout = options_.flush_timeout},
      *end.receiver, thread_, memory_);
  caller->call->Write(Acceptance(),
                      [call = caller->call, core, end](bool /*ok*/) {
                        // If the caller is gone, the link reports so as any
                        // other.
                        end.done(std::make_unique<GrpcLink>(core));
                        core->Run(call);
                      });
}

void LinkAcceptor::Refuse(const std::shared_ptr<Caller>& caller,
                          const absl::Status& why) {
  caller->waiting = false;
  --waiting_callers_;
  caller->call->Finish(why, [caller](bool /*ok*/) {});
}

}  // namespace stagecoach

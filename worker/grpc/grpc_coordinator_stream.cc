#include "worker/grpc/grpc_coordinator_stream.h"

#include <utility>

#include "core/grpc/convert_session.h"
#include "core/grpc/status.h"

namespace stagecoach {

GrpcCoordinatorStream::GrpcCoordinatorStream(
    std::shared_ptr<v1::SessionService::Stub> stub, std::string peer,
    CoordinatorEvents events)
    : stub_(std::move(stub)),
      peer_(std::move(peer)),
      events_(std::move(events)) {}

std::shared_ptr<GrpcCoordinatorStream> GrpcCoordinatorStream::Open(
    std::shared_ptr<v1::SessionService::Stub> stub, std::string peer,
    CoordinatorEvents events) {
  std::shared_ptr<GrpcCoordinatorStream> stream(new GrpcCoordinatorStream(
      std::move(stub), std::move(peer), std::move(events)));
  stream->self_ = stream;
  stream->stub_->async()->Session(&stream->context_, stream.get());
  // Writes are begun from outside of gRPC's calls: held until reads end.
  stream->AddHold();
  stream->StartRead(&stream->incoming_);
  stream->StartCall();
  return stream;
}

void GrpcCoordinatorStream::SayHello(const Hello& hello) {
  v1::WorkerMessage message;
  *message.mutable_hello() = ToProto(hello);
  Enqueue(std::move(message));
}

void GrpcCoordinatorStream::Renew(int64_t last_order) {
  v1::WorkerMessage message;
  message.mutable_renewal()->set_last_order(last_order);
  Enqueue(std::move(message));
}

void GrpcCoordinatorStream::Send(int64_t serial, const Report& report) {
  v1::WorkerMessage message;
  *message.mutable_report() = ToProto(report, serial);
  Enqueue(std::move(message));
}

void GrpcCoordinatorStream::Enqueue(v1::WorkerMessage message) {
  const MutexLock lock(mutex_);
  if (ended_) return;
  queue_.push_back(std::move(message));
  if (!writing_) WriteNextLocked();
}

void GrpcCoordinatorStream::WriteNextLocked() {
  writing_ = !queue_.empty() && !ended_;
  if (writing_) StartWrite(&queue_.front());
}

void GrpcCoordinatorStream::OnWriteDone(bool ok) {
  const MutexLock lock(mutex_);
  queue_.pop_front();
  if (!ok) ended_ = true;  // the read fails as well, and tells
  WriteNextLocked();
}

void GrpcCoordinatorStream::OnReadDone(bool ok) {
  if (!ok) {
    {
      const MutexLock lock(mutex_);
      ended_ = true;
    }
    return RemoveHold();
  }
  if (incoming_.has_welcome()) {
    events_.welcomed(incoming_.welcome().last_report());
  }
  if (incoming_.has_acknowledgement()) {
    events_.acknowledged(incoming_.acknowledgement().last_report());
  }
  if (incoming_.has_order()) {
    events_.ordered(incoming_.order().serial(), FromProto(incoming_.order()));
  }
  StartRead(&incoming_);
}

void GrpcCoordinatorStream::OnDone(const grpc::Status& status) {
  const std::shared_ptr<GrpcCoordinatorStream> last = std::move(self_);
  events_.ended(FromGrpc(status, peer_));
}

}  // namespace stagecoach

#include "worker/transport/grpc/exchange_call.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/grpc/status.h"

namespace stagecoach {

OutgoingCall::OutgoingCall(DataPlaneThread& thread,
                           const std::shared_ptr<grpc::Channel>& channel,
                           std::string peer)
    : thread_(thread), peer_(std::move(peer)), stub_(channel) {
  stream_ = stub_.PrepareCall(
      &context_, "/stagecoach.v1.DataPlaneService/Exchange", &thread.queue());
}

OutgoingCall::~OutgoingCall() { thread_.RemoveCall(*this); }

bool OutgoingCall::Start(Done done) {
  if (!thread_.AddCall(*this)) return false;
  stream_->StartCall(DataPlaneThread::Tag(std::move(done)));
  return true;
}

void OutgoingCall::HalfClose(Done done) {
  stream_->WritesDone(DataPlaneThread::Tag(std::move(done)));
}

void OutgoingCall::Finish(std::function<void(absl::Status)> done) {
  stream_->Finish(&ended_, DataPlaneThread::Tag(
                               [this, done = std::move(done)](bool /*ok*/) {
                                 done(FromGrpc(ended_, peer_));
                               }));
}

void OutgoingCall::Read(grpc::ByteBuffer& into, Done done) {
  stream_->Read(&into, DataPlaneThread::Tag(std::move(done)));
}

void OutgoingCall::Write(const grpc::ByteBuffer& message, Done done) {
  stream_->Write(message, DataPlaneThread::Tag(std::move(done)));
}

IncomingCall::~IncomingCall() { thread_.RemoveCall(*this); }

void IncomingCall::Accept(RawDataPlaneService& service,
                          grpc::ServerCompletionQueue& queue, Done done) {
  service.RequestExchange(
      &context_, &stream_, &queue, &queue,
      DataPlaneThread::Tag([this, done = std::move(done)](bool ok) {
        done(ok && thread_.AddCall(*this));
      }));
}

void IncomingCall::Finish(const absl::Status& status, Done done) {
  stream_.Finish(ToGrpc(status), DataPlaneThread::Tag(std::move(done)));
}

void IncomingCall::Read(grpc::ByteBuffer& into, Done done) {
  stream_.Read(&into, DataPlaneThread::Tag(std::move(done)));
}

void IncomingCall::Write(const grpc::ByteBuffer& message, Done done) {
  stream_.Write(message, DataPlaneThread::Tag(std::move(done)));
}

}  // namespace stagecoach

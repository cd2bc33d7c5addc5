#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "stagecoach/v1/data_plane.grpc.pb.h"
#include "worker/transport/grpc/data_plane_thread.h"

namespace stagecoach {

// One call of DataPlaneService.Exchange, from either side. Operations answer
// through `done`, on the data plane thread, once; `done` may own the call.
// There is at most one Read() and one of the others under way at a time.
//
// Thread-confined: the data plane thread.
class ExchangeCall : public DataPlaneCall {
 public:
  using Done = std::function<void(bool ok)>;

  // The peer, for messages: "stage 1 at 10.0.0.2:7071".
  virtual std::string peer() const = 0;

  // The next message; not ok: there will be none any more.
  virtual void Read(grpc::ByteBuffer& into, Done done) = 0;

  // Not ok: the call is over; reading tells the same.
  virtual void Write(const grpc::ByteBuffer& message, Done done) = 0;
};

// The side that calls: the worker of the lower stage.
class OutgoingCall final : public ExchangeCall {
 public:
  OutgoingCall(DataPlaneThread& thread,
               const std::shared_ptr<grpc::Channel>& channel, std::string peer);
  ~OutgoingCall() override;

  // First of all. Not ok: Finish() tells why. False: the thread stops, and
  // `done` is not called.
  bool Start(Done done);

  // Nothing follows from this side.
  void HalfClose(Done done);

  // Last of all, once reading has ended: how the call ended. kUnavailable when
  // the peer is gone, else what the peer gave to its Finish().
  void Finish(std::function<void(absl::Status)> done);

  std::string peer() const override { return peer_; }
  void Read(grpc::ByteBuffer& into, Done done) override;
  void Write(const grpc::ByteBuffer& message, Done done) override;
  void Cancel() override { context_.TryCancel(); }

 private:
  DataPlaneThread& thread_;
  const std::string peer_;
  grpc::ClientContext context_;
  grpc::GenericStub stub_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
  grpc::Status ended_;
};

using RawDataPlaneService =
    v1::DataPlaneService::WithRawMethod_Exchange<v1::DataPlaneService::Service>;

// The side that is called: the worker of the upper stage.
class IncomingCall final : public ExchangeCall {
 public:
  explicit IncomingCall(DataPlaneThread& thread) : thread_(thread) {}
  ~IncomingCall() override;

  // Waits for the next call. Not ok: the server stops, nothing else follows.
  void Accept(RawDataPlaneService& service, grpc::ServerCompletionQueue& queue,
              Done done);

  // Ends the call with this status. Reading ends soon after.
  void Finish(const absl::Status& status, Done done);

  std::string peer() const override { return context_.peer(); }
  void Read(grpc::ByteBuffer& into, Done done) override;
  void Write(const grpc::ByteBuffer& message, Done done) override;
  void Cancel() override { context_.TryCancel(); }

 private:
  DataPlaneThread& thread_;
  grpc::ServerContext context_;
  grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer> stream_{
      &context_};
};

}  // namespace stagecoach

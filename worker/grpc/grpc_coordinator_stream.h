#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <deque>
#include <memory>
#include <string>

#include "core/base/mutex.h"
#include "stagecoach/v1/session.grpc.pb.h"
#include "worker/coordinator_stream.h"

namespace stagecoach {

// A CoordinatorStream over gRPC: translates, and keeps one write under way at
// a time. Owns itself until gRPC has finished with it.
//
// Thread-safe.
class GrpcCoordinatorStream final
    : public CoordinatorStream,
      public grpc::ClientBidiReactor<v1::WorkerMessage,
                                     v1::CoordinatorMessage> {
 public:
  // Opens the stream. `peer` names the coordinator in messages.
  static std::shared_ptr<GrpcCoordinatorStream> Open(
      std::shared_ptr<v1::SessionService::Stub> stub, std::string peer,
      CoordinatorEvents events);

  void SayHello(const Hello& hello) override;
  void Renew(int64_t last_order) override;
  void Send(int64_t serial, const Report& report) override;
  void Cancel() override { context_.TryCancel(); }

 private:
  GrpcCoordinatorStream(std::shared_ptr<v1::SessionService::Stub> stub,
                        std::string peer, CoordinatorEvents events);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

  // The caller bounds how many wait: its reports are unacknowledged.
  void Enqueue(v1::WorkerMessage message);
  void WriteNextLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<v1::SessionService::Stub> stub_;
  const std::string peer_;
  const CoordinatorEvents events_;
  grpc::ClientContext context_;
  v1::CoordinatorMessage incoming_;
  std::shared_ptr<GrpcCoordinatorStream> self_;  // until OnDone()

  Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;    // nothing more is written
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;  // front() is with gRPC
  std::deque<v1::WorkerMessage> queue_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

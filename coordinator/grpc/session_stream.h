#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/coordinator.h"
#include "coordinator/worker_control.h"
#include "core/base/mutex.h"
#include "stagecoach/v1/session.grpc.pb.h"

namespace stagecoach {

// One session of a worker: gRPC's reactor for it on one side, the coordinator's
// WorkerControl on the other. Lives until the stream is done and nobody holds
// it.
//
// gRPC's rules: one write at a time, and no operation begins once Finish() was
// called. Reads and writes complete on different threads at once, and the
// coordinator speaks at any time; so what may begin is decided under the lock,
// and begun after it.
//
// Thread-safe.
class SessionStream final
    : public grpc::ServerBidiReactor<v1::WorkerMessage, v1::CoordinatorMessage>,
      public WorkerControl,
      public std::enable_shared_from_this<SessionStream> {
 public:
  // A worker that leaves so many messages unread is let go.
  static constexpr size_t kMaxQueued = 10'000;

  static SessionStream* Start(Coordinator& coordinator,
                              grpc::CallbackServerContext& context);

  // WorkerControl.
  void Welcome(absl::Duration lease, int64_t last_report) override;
  void Send(int64_t serial, const Order& order) override;
  void Acknowledge(int64_t last_report) override;
  void Close(const absl::Status& why) override;

  // ServerBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  SessionStream(Coordinator& coordinator, grpc::CallbackServerContext& context)
      : coordinator_(coordinator), context_(context) {}

  // OK to read on.
  absl::Status Take(const v1::WorkerMessage& message);
  absl::Status TakeHello(const v1::Hello& hello);
  absl::Status TakeReport(const v1::Report& report);

  void Enqueue(v1::CoordinatorMessage message);
  // The end may come now, if it waited for this.
  void LeaveReaction();
  // Begins the write or the end that is next, if either may begin.
  void Advance();
  std::function<void()> NextLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Coordinator& coordinator_;
  grpc::CallbackServerContext& context_;  // lives until OnDone()
  std::shared_ptr<SessionStream> self_;   // until OnDone()

  // Touched by reads only, which follow one another.
  v1::WorkerMessage incoming_;
  std::optional<SessionId> session_;

  Mutex mutex_;
  std::deque<v1::CoordinatorMessage> queue_ ABSL_GUARDED_BY(mutex_);
  v1::CoordinatorMessage outgoing_;  // being written while `writing_`
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  int reactions_ ABSL_GUARDED_BY(mutex_) = 0;  // that the end waits for
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace stagecoach

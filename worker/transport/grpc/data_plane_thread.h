#pragma once

#include <grpcpp/completion_queue.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "absl/time/time.h"
#include "core/base/clock.h"
#include "core/base/executor.h"
#include "core/base/mutex.h"

namespace stagecoach {

// A call that runs on a data plane thread, which ends only when all have.
class DataPlaneCall {
 public:
  virtual ~DataPlaneCall() = default;

  // Makes the call end soon, whatever it waits for. On the data plane thread.
  virtual void Cancel() = 0;
};

// The one thread of a process on which data links live: it takes completions
// from its queue, runs posted tasks in between, and never blocks otherwise.
//
// Thread-safe, but for what says "on the thread".
class DataPlaneThread final : public Executor {
 public:
  explicit DataPlaneThread(std::unique_ptr<grpc::CompletionQueue> queue);
  ~DataPlaneThread() override;

  void Start();

  // Waits until no call is left, but no longer than `timeout`.
  void AwaitNoCalls(absl::Duration timeout);

  // Cancels the calls, runs what is due, ends the queue and joins. The server
  // to which the queue belongs has been shut down before. Tasks posted after
  // that are dropped. Idempotent. Like Start(), for the owner alone.
  void Stop();

  void Post(std::function<void()> task) override;
  void PostAfter(absl::Duration delay, std::function<void()> task) override;

  grpc::CompletionQueue& queue() { return *queue_; }

  // A tag for one operation on queue(): `done` is called on the thread with
  // the operation's outcome, once.
  static void* Tag(std::function<void(bool ok)> done);

  // On the thread. A call adds itself before its first operation and removes
  // itself after its last one has come back. False: the thread stops, so no
  // call may begin.
  bool AddCall(DataPlaneCall& call);
  void RemoveCall(DataPlaneCall& call);

 private:
  using Tasks =
      std::map<std::pair<absl::Duration, int64_t>, std::function<void()>>;

  void CancelCalls();
  void Run();
  void RunDueTasks();
  absl::Duration NextDue();
  void EndQueueOnceIdle();
  void WakeLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const SystemClock clock_;
  const std::unique_ptr<grpc::CompletionQueue> queue_;
  std::thread thread_;
  bool stopped_ = false;  // the owner's

  // On the thread.
  std::set<DataPlaneCall*> calls_;
  bool stopping_ = false;

  Mutex mutex_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;   // the queue takes no more
  bool idle_ ABSL_GUARDED_BY(mutex_) = true;     // there is no call
  bool waking_ ABSL_GUARDED_BY(mutex_) = false;  // the thread is on its way
  int64_t next_serial_ ABSL_GUARDED_BY(mutex_) = 0;
  Tasks tasks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

#include "worker/transport/grpc/data_plane_thread.h"

#include <grpcpp/alarm.h>
#include <pthread.h>

#include <algorithm>

namespace stagecoach {
namespace {

struct Completion {
  std::function<void(bool ok)> done;
};

gpr_timespec InGprTime(absl::Duration wait) {
  const absl::Duration bounded =
      std::clamp(wait, absl::ZeroDuration(), absl::Hours(1));
  return gpr_time_add(
      gpr_now(GPR_CLOCK_MONOTONIC),
      gpr_time_from_nanos(absl::ToInt64Nanoseconds(bounded), GPR_TIMESPAN));
}

}  // namespace

DataPlaneThread::DataPlaneThread(std::unique_ptr<grpc::CompletionQueue> queue)
    : queue_(std::move(queue)) {}

DataPlaneThread::~DataPlaneThread() { Stop(); }

void* DataPlaneThread::Tag(std::function<void(bool ok)> done) {
  return new Completion{std::move(done)};  // deleted by Run()
}

void DataPlaneThread::Start() {
  thread_ = std::thread([this] { Run(); });
}

void DataPlaneThread::Stop() {
  if (std::exchange(stopped_, true)) return;
  // Even a queue that never served must be drained.
  if (!thread_.joinable()) Start();
  Post([this] {
    stopping_ = true;
    CancelCalls();
  });
  thread_.join();
}

void DataPlaneThread::Post(std::function<void()> task) {
  PostAfter(absl::ZeroDuration(), std::move(task));
}

void DataPlaneThread::PostAfter(absl::Duration delay,
                                std::function<void()> task) {
  const absl::Duration due =
      clock_.Now() + std::max(delay, absl::ZeroDuration());
  const MutexLock lock(mutex_);
  if (ended_) return;
  const auto added =
      tasks_.emplace(std::pair(due, next_serial_++), std::move(task)).first;
  if (added == tasks_.begin()) WakeLocked();
}

// Makes AsyncNext() return, so that the thread looks at its tasks again.
void DataPlaneThread::WakeLocked() {
  if (std::exchange(waking_, true)) return;
  auto alarm = std::make_shared<grpc::Alarm>();
  alarm->Set(queue_.get(), gpr_now(GPR_CLOCK_MONOTONIC),
             Tag([this, alarm](bool /*ok*/) {
               const MutexLock lock(mutex_);
               waking_ = false;
             }));
}

bool DataPlaneThread::AddCall(DataPlaneCall& call) {
  if (stopping_) return false;
  calls_.insert(&call);
  const MutexLock lock(mutex_);
  idle_ = false;
  return true;
}

void DataPlaneThread::RemoveCall(DataPlaneCall& call) {
  calls_.erase(&call);
  const MutexLock lock(mutex_);
  idle_ = calls_.empty();
}

void DataPlaneThread::AwaitNoCalls(absl::Duration timeout) {
  const MutexLock lock(mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(&idle_), timeout);
}

void DataPlaneThread::CancelCalls() {
  const std::set<DataPlaneCall*> calls = calls_;
  for (DataPlaneCall* call : calls) {
    if (calls_.contains(call)) call->Cancel();
  }
}

void DataPlaneThread::Run() {
  pthread_setname_np(pthread_self(), "data-plane");
  while (true) {
    RunDueTasks();
    EndQueueOnceIdle();
    void* tag = nullptr;
    bool ok = false;
    const auto next = queue_->AsyncNext(&tag, &ok, InGprTime(NextDue()));
    if (next == grpc::CompletionQueue::SHUTDOWN) return;
    if (next == grpc::CompletionQueue::TIMEOUT) continue;
    const std::unique_ptr<Completion> completion(static_cast<Completion*>(tag));
    completion->done(ok);
  }
}

void DataPlaneThread::RunDueTasks() {
  while (true) {
    std::function<void()> task;
    {
      const MutexLock lock(mutex_);
      if (tasks_.empty() || tasks_.begin()->first.first > clock_.Now()) return;
      task = std::move(tasks_.begin()->second);
      tasks_.erase(tasks_.begin());
    }
    task();
  }
}

absl::Duration DataPlaneThread::NextDue() {
  const MutexLock lock(mutex_);
  if (tasks_.empty()) return absl::InfiniteDuration();
  return tasks_.begin()->first.first - clock_.Now();
}

void DataPlaneThread::EndQueueOnceIdle() {
  if (!stopping_ || !calls_.empty()) return;
  Tasks dropped;  // outlives the lock: tasks may own anything
  const MutexLock lock(mutex_);
  const bool task_due =
      !tasks_.empty() && tasks_.begin()->first.first <= clock_.Now();
  if (ended_ || task_due) return;
  ended_ = true;
  dropped.swap(tasks_);
  queue_->Shutdown();
}

}  // namespace stagecoach

#include "coordinator/grpc/session_stream.h"

#include <utility>

#include "core/base/status_macros.h"
#include "core/grpc/convert_session.h"
#include "core/grpc/status.h"

namespace stagecoach {
namespace {

google::protobuf::Duration ToProto(absl::Duration duration) {
  google::protobuf::Duration proto;
  const int64_t seconds = absl::ToInt64Seconds(duration);
  proto.set_seconds(seconds);
  proto.set_nanos(static_cast<int32_t>(
      absl::ToInt64Nanoseconds(duration - absl::Seconds(seconds))));
  return proto;
}

}  // namespace

SessionStream* SessionStream::Start(Coordinator& coordinator,
                                    grpc::CallbackServerContext& context) {
  std::shared_ptr<SessionStream> stream(
      new SessionStream(coordinator, context));
  stream->self_ = stream;
  stream->StartRead(&stream->incoming_);
  return stream.get();
}

void SessionStream::Welcome(absl::Duration lease, int64_t last_report) {
  v1::CoordinatorMessage message;
  *message.mutable_welcome()->mutable_lease() = ToProto(lease);
  message.mutable_welcome()->set_last_report(last_report);
  Enqueue(std::move(message));
}

void SessionStream::Send(int64_t serial, const Order& order) {
  v1::CoordinatorMessage message;
  *message.mutable_order() = stagecoach::ToProto(order, serial);
  Enqueue(std::move(message));
}

void SessionStream::Acknowledge(int64_t last_report) {
  v1::CoordinatorMessage message;
  message.mutable_acknowledgement()->set_last_report(last_report);
  Enqueue(std::move(message));
}

void SessionStream::Close(const absl::Status& why) {
  {
    const MutexLock lock(mutex_);
    if (!end_.has_value()) end_ = why;
    queue_.clear();
  }
  Advance();
}

void SessionStream::Enqueue(v1::CoordinatorMessage message) {
  bool full = false;
  {
    const MutexLock lock(mutex_);
    if (end_.has_value()) return;
    full = queue_.size() >= kMaxQueued;
    if (full) {
      end_ =
          absl::ResourceExhaustedError("the worker does not read its orders");
      queue_.clear();
      ++reactions_;
    } else {
      queue_.push_back(std::move(message));
    }
  }
  if (full) {
    // A write is stuck: the stream cannot end in good order.
    context_.TryCancel();
    LeaveReaction();
  } else {
    Advance();
  }
}

void SessionStream::LeaveReaction() {
  {
    const MutexLock lock(mutex_);
    --reactions_;
  }
  Advance();
}

void SessionStream::Advance() {
  std::function<void()> next;
  {
    const MutexLock lock(mutex_);
    next = NextLocked();
  }
  if (next) next();
}

// While a write is marked as begun nobody else begins one or the end; once the
// end is marked nothing begins. So the stream lives for what is returned.
std::function<void()> SessionStream::NextLocked() {
  if (writing_ || finished_) return nullptr;
  if (!queue_.empty()) {
    writing_ = true;
    outgoing_ = std::move(queue_.front());
    queue_.pop_front();
    return [this] { StartWrite(&outgoing_); };
  }
  if (end_.has_value() && reactions_ == 0) {
    finished_ = true;
    return [this, status = ToGrpc(*end_)] { Finish(status); };
  }
  return nullptr;
}

void SessionStream::OnReadDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    ++reactions_;
  }
  const absl::Status taken =
      ok ? Take(incoming_) : absl::CancelledError("the worker is gone");
  if (!taken.ok()) Close(taken);
  bool read_on = false;
  {
    const MutexLock lock(mutex_);
    read_on = !end_.has_value();
  }
  // Whoever ended the session: the coordinator knows it, or learns it here.
  if (!read_on && session_.has_value()) coordinator_.Disconnect(*session_);
  if (read_on) StartRead(&incoming_);
  LeaveReaction();
}

void SessionStream::OnWriteDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    if (!ok && !end_.has_value()) {
      end_ = absl::CancelledError("the worker is gone");
    }
    if (!ok) queue_.clear();
  }
  Advance();
}

void SessionStream::OnDone() { self_.reset(); }

absl::Status SessionStream::Take(const v1::WorkerMessage& message) {
  switch (message.kind_case()) {
    case v1::WorkerMessage::kHello:
      return TakeHello(message.hello());
    case v1::WorkerMessage::kRenewal:
      if (!session_.has_value()) break;
      coordinator_.Renew(*session_, message.renewal().last_order());
      return absl::OkStatus();
    case v1::WorkerMessage::kReport:
      if (!session_.has_value()) break;
      return TakeReport(message.report());
    case v1::WorkerMessage::KIND_NOT_SET:
      return absl::InvalidArgumentError(
          "a message of a kind that is not known here; the worker is of "
          "another version");
  }
  return absl::InvalidArgumentError("a worker says hello first");
}

absl::Status SessionStream::TakeHello(const v1::Hello& hello) {
  if (session_.has_value()) {
    return absl::InvalidArgumentError("a worker says hello once");
  }
  SC_ASSIGN_OR_RETURN(session_,
                      coordinator_.Join(FromProto(hello), shared_from_this()));
  return absl::OkStatus();
}

absl::Status SessionStream::TakeReport(const v1::Report& report) {
  SC_ASSIGN_OR_RETURN(const Report taken, FromProto(report));
  coordinator_.Receive(*session_, report.serial(), taken);
  return absl::OkStatus();
}

}  // namespace stagecoach

#include "coordinator/grpc/watch_stream.h"

#include <utility>
#include <variant>

#include "core/grpc/convert_status.h"
#include "core/grpc/status.h"

namespace stagecoach {

WatchStream* WatchStream::Start(JobFeed& feed,
                                const v1::WatchRequest& request) {
  std::shared_ptr<WatchStream> stream(new WatchStream);
  stream->self_ = stream;
  auto subscription =
      feed.Subscribe(JobId(request.job()), request.after_sequence(),
                     [weak = std::weak_ptr<WatchStream>(stream)] {
                       if (const auto watch = weak.lock()) watch->Wake();
                     });
  if (!subscription.ok()) {
    stream->Finish(ToGrpc(subscription.status()));
    return stream.get();
  }
  stream->subscription_ = *std::move(subscription);
  stream->Advance();
  return stream.get();
}

bool WatchStream::Enter() {
  const MutexLock lock(mutex_);
  woken_ = true;
  return !std::exchange(busy_, true);
}

bool WatchStream::Leave() {
  const MutexLock lock(mutex_);
  if (std::exchange(woken_, false)) return false;
  busy_ = false;
  return true;
}

void WatchStream::Wake() {
  if (Enter()) Advance();
}

void WatchStream::OnCancel() {
  {
    const MutexLock lock(mutex_);
    cancelled_ = true;
  }
  Wake();
}

void WatchStream::OnWriteDone(bool ok) {
  if (!ok) {
    const MutexLock lock(mutex_);
    cancelled_ = true;
  }
  Advance();
}

void WatchStream::Advance() {
  while (true) {
    bool cancelled = false;
    {
      const MutexLock lock(mutex_);
      cancelled = cancelled_;
    }
    if (cancelled) return Finish(grpc::Status::CANCELLED);
    const absl::StatusOr<Subscription::News> news = subscription_->Take();
    if (!news.ok()) {
      // The end of a job is the end of its news, not an error.
      return Finish(absl::IsOutOfRange(news.status()) ? grpc::Status::OK
                                                      : ToGrpc(news.status()));
    }
    if (!std::holds_alternative<std::monostate>(*news)) return Write(*news);
    if (Leave()) return;
  }
}

void WatchStream::Write(const Subscription::News& news) {
  outgoing_.Clear();
  if (const auto* event = std::get_if<JobEvent>(&news)) {
    *outgoing_.mutable_event() = ToProto(*event);
  } else {
    *outgoing_.mutable_status() = ToProto(std::get<JobStatus>(news));
  }
  StartWrite(&outgoing_);
}

}  // namespace stagecoach

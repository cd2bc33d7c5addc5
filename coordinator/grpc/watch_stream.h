#pragma once

#include <memory>

#include "absl/base/thread_annotations.h"
#include "coordinator/job_feed.h"
#include "core/base/mutex.h"
#include "stagecoach/v1/jobs.grpc.pb.h"

namespace stagecoach {

// One watcher of a job: writes news one at a time, as fast as the client reads,
// and takes the next only then. Lives until the stream is done.
//
// Thread-safe.
class WatchStream final : public grpc::ServerWriteReactor<v1::WatchResponse> {
 public:
  static WatchStream* Start(JobFeed& feed, const v1::WatchRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override { self_.reset(); }

 private:
  WatchStream() = default;

  void Wake();
  // Whether the caller may take news now; else whoever does will look again.
  bool Enter();
  // Takes news until one is being written, the end has come or there is none.
  // Only for the one who entered.
  void Advance();
  // Nothing to take: true when that is still so and the stream stands still.
  bool Leave();
  void Write(const Subscription::News& news);

  std::shared_ptr<WatchStream> self_;  // until OnDone()
  std::unique_ptr<Subscription> subscription_;
  v1::WatchResponse outgoing_;

  Mutex mutex_;
  bool busy_ ABSL_GUARDED_BY(mutex_) = true;
  bool woken_ ABSL_GUARDED_BY(mutex_) = false;
  bool cancelled_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace stagecoach

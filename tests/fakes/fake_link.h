#pragma once

#include <array>
#include <vector>

#include "core/base/mutex.h"
#include "worker/transport/link.h"
#include "worker/transport/link_spec.h"

namespace stagecoach {

// A Link whose peer is the test: it keeps what is sent, and refuses by the
// window of its spec until the test gives credit. The test calls the receiver
// itself.
//
// Thread-safe.
class FakeLink final : public Link {
 public:
  FakeLink(const LinkSpec& spec, Direction sends)
      : spec_(spec), sends_(sends) {}

  absl::Status Send(Frame frame) override;
  void Consumed(Lane lane) override;
  void Close() override;
  Traffic traffic() const override;

  // The peer has consumed one item of the lane. The test calls OnWritable().
  void GiveCredit(Lane lane);

  // From now on Send() fails with `why`. The test calls OnPeerLost().
  void Break(absl::Status why);

  // What was sent since the last call.
  std::vector<Frame> TakeSent();

  int64_t consumed(Lane lane) const;
  bool closed() const;

 private:
  const LinkSpec spec_;
  const Direction sends_;
  mutable Mutex mutex_;
  absl::Status broken_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Frame> sent_ ABSL_GUARDED_BY(mutex_);
  std::array<int64_t, kNumLanes> under_way_ ABSL_GUARDED_BY(mutex_) = {0, 0};
  std::array<int64_t, kNumLanes> consumed_ ABSL_GUARDED_BY(mutex_) = {0, 0};
  Traffic traffic_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace stagecoach

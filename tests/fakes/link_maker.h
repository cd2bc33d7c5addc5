#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "worker/transport/link_network.h"

namespace stagecoach {

// Waits for the answer of a LinkNetwork.
//
// Thread-safe.
class LinkAnswer {
 public:
  // For the network; this object need not outlive it.
  LinkNetwork::Done done();

  // The answer; kDeadlineExceeded "no answer" after half a minute. Once.
  absl::StatusOr<std::unique_ptr<Link>> Take();

  // How often `done` was called so far.
  int answers() const;

 private:
  struct State {
    Mutex mutex;
    std::optional<absl::StatusOr<std::unique_ptr<Link>>> answer
        ABSL_GUARDED_BY(mutex);
    int answers ABSL_GUARDED_BY(mutex) = 0;
  };

  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

// A training spec of job "job", generation 3, between stages 0 and 1, with room
// for 4 training items each way, 2 evaluation items upward, and items of 64 MB.
LinkSpec SampleLinkSpec();

// A frame for SampleLinkSpec() with one float32 tensor of `elements` elements,
// of value item + index.
Frame SampleFrame(int64_t item, int64_t elements = 16,
                  Lane lane = Lane::kTraining);

// A tensor of this type whose byte i is (i * 31 + salt) mod 256.
TensorBytes PatternTensor(const TensorType& type, int salt = 0);

}  // namespace stagecoach

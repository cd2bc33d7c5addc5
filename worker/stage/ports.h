#pragma once

#include <torch/types.h>

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/ids.h"
#include "core/resolve/resolved_job.h"
#include "worker/stage/inbox.h"
#include "worker/stage/outbox.h"
#include "worker/transport/link.h"

namespace stagecoach {

// What a stage computes an item from. Read only: other stages may share the
// memory.
struct StageInput {
  torch::Tensor activations;
  torch::Tensor targets;
};

// Where a stage meets its neighbours: tensors go in and come out, frames pass
// the links. Frames are checked against what the job says about the boundary.
//
// Thread-confined: the stage thread; but the inboxes are thread-safe.
class StagePorts {
 public:
  struct Options {
    std::shared_ptr<const ResolvedJob> job;
    JobId id;
    Generation generation;
    StageIndex stage;
    torch::Device device = torch::kCPU;
  };
  explicit StagePorts(const Options& options);

  // Null at the ends of the pipeline.
  const LinkSpec* below() const { return below_ ? &*below_ : nullptr; }
  const LinkSpec* above() const { return above_ ? &*above_ : nullptr; }
  Inbox& from_below() { return from_below_; }
  Inbox& from_above() { return from_above_; }
  void SetWaker(const std::function<void()>& waker);
  void Attach(Link* below, Link* above);

  // Sends what waits and finds credit now.
  absl::Status Flush();
  bool all_sent() const { return up_.empty() && down_.empty(); }

  // Whether the next item may be sent; true where there is nobody to send to.
  bool ready_up(Lane lane) const { return up_.ready(lane); }
  bool ready_down() const { return down_.ready(Lane::kTraining); }

  // Of the stage below. Nothing while the item is on its way.
  absl::StatusOr<std::optional<StageInput>> TakeInput(Lane lane, ItemId item);

  // Of the stage above, with respect to what SendUp() sent.
  absl::StatusOr<std::optional<torch::Tensor>> TakeGradient(ItemId item);

  // What is sent must not be written afterwards.
  absl::Status SendUp(Lane lane, ItemId item, const torch::Tensor& output,
                      const torch::Tensor& targets);
  absl::Status SendDown(ItemId item, const torch::Tensor& gradient);

 private:
  absl::StatusOr<std::optional<Frame>> Take(Inbox& inbox, Link* link, Lane lane,
                                            ItemId item);
  Frame EmptyFrame(Lane lane, ItemId item) const;
  TensorType Boundary(StageIndex lower, Lane lane, ItemId item) const;

  const Options options_;
  const std::optional<LinkSpec> below_;
  const std::optional<LinkSpec> above_;
  Inbox from_below_;
  Inbox from_above_;
  Outbox up_;
  Outbox down_;
  Link* below_link_ = nullptr;
  Link* above_link_ = nullptr;
};

}  // namespace stagecoach

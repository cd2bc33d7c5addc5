#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/base/ids.h"
#include "core/data/data_source.h"
#include "core/job/job_status.h"
#include "core/resolve/resolved_job.h"
#include "worker/transport/link.h"

namespace stagecoach {

enum class Pass { kForward, kRecompute, kBackward, kUpdate, kEvaluate, kData };

absl::string_view NameOf(Pass pass);  // "forward"

enum class WaitReason { kNone, kInput, kGradient, kCredit };

absl::string_view NameOf(WaitReason reason);  // "input"; "" for kNone

// Which versions an update used: what the method promises, made observable.
struct UpdateRecord {
  ItemId item;
  int64_t forward_version = 0;
  int64_t backward_version = 0;
  int64_t staleness = 0;      // updates between its forward and its backward
  int64_t stored_inputs = 0;  // kept when the update was made, its own included
  int64_t samples = 0;
  double loss_sum = 0;  // last stage only
  int64_t correct = 0;  // last stage only
};

// Watches a stage and is its only clock: for metrics, traces and the flight
// recorder. Calls come from the stage thread, must return at once and must not
// call the stage.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void OnPassBegin(Pass pass, ItemId item) = 0;
  virtual void OnPassEnd(Pass pass, ItemId item) = 0;
  virtual void OnUpdate(const UpdateRecord& record) = 0;
  virtual void OnEvaluation(const Evaluation& evaluation) = 0;  // last stage

  // Nothing to do until more arrives. Ends with the next pass; repeated when a
  // wake-up brought nothing.
  virtual void OnWait(WaitReason /*reason*/) {}
};

struct StageOptions {
  std::shared_ptr<const ResolvedJob> job;
  JobId id;
  Generation generation;
  StageIndex stage;
  std::string device = "cpu";
  std::shared_ptr<const DataSource> data;  // stage 0 only, else null
};

struct StepResult {
  enum class Kind { kMoved, kWaiting, kFinished };
  Kind kind = Kind::kMoved;
  WaitReason waiting_for = WaitReason::kNone;
};

// One stage of a network at work, without saying how: no torch here. It makes
// one move per Step(), has no thread, socket or clock of its own.
//
// Thread-confined to the stage thread, but for the receivers and the figures,
// which are thread-safe.
class Stage {
 public:
  virtual ~Stage() = default;

  // What its links must agree on. Null at the ends of the pipeline.
  virtual const LinkSpec* below() const = 0;
  virtual const LinkSpec* above() const = 0;

  // Where the links deliver. They outlive the links.
  virtual FrameReceiver& from_below() = 0;
  virtual FrameReceiver& from_above() = 0;

  // Called from any thread whenever a waiting stage may have something to do.
  // Set once, before the links exist.
  virtual void SetWaker(std::function<void()> waker) = 0;

  // Null at the ends of the pipeline; owned by the caller, outlive the stage's
  // last step. Before the first step.
  virtual void Attach(Link* below, Link* above) = 0;

  // Makes at most one move: a pass of one item, or sends what waited for
  // credit. Never blocks. Errors are final:
  //   kUnavailable: a link is lost; kDataLoss: non-finite values, in the item
  //   of version(); kInternal: a broken contract of the method; kUnknown:
  //   torch refused; kResourceExhausted: out of memory.
  // CauseOf() in cause.h says so to users.
  virtual absl::StatusOr<StepResult> Step() = 0;

  // Thread-safe, these four.
  virtual int64_t version() const = 0;  // updates; equals applied(): none is
  virtual int64_t applied() const = 0;  // skipped
  virtual int64_t parameter_elements() const = 0;
  virtual int64_t peak_memory_bytes() const = 0;  // weights, optimizer, inputs

  // The lines of the weights' digest (definitions.md, section 10), each with
  // its newline, once finished.
  virtual absl::StatusOr<std::vector<std::string>> DigestLines() const = 0;
};

// Makes stages; the seam by which a worker runs without torch in tests.
//
// Thread-safe.
class StageFactory {
 public:
  virtual ~StageFactory() = default;

  // Allocates all that the stage needs and initialises the weights.
  // kResourceExhausted when memory does not suffice; kInvalidArgument when the
  // device does not exist.
  virtual absl::StatusOr<std::unique_ptr<Stage>> Create(
      const StageOptions& options, PassObserver& observer) = 0;
};

}  // namespace stagecoach

#include "worker/stage/stage_runtime.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/allocator.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "worker/stage/finite.h"
#include "worker/stage/torch_guard.h"

namespace stagecoach {
namespace {

// Tells the observer when a pass begins and, at the end of its scope, ends.
class Watched {
 public:
  Watched(PassObserver& observer, Pass pass, ItemId item)
      : observer_(observer), pass_(pass), item_(item) {
    observer_.OnPassBegin(pass_, item_);
  }
  ~Watched() { observer_.OnPassEnd(pass_, item_); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  PassObserver& observer_;
  const Pass pass_;
  const ItemId item_;
};

int64_t ElementsIn(const std::vector<torch::Tensor>& tensors) {
  int64_t elements = 0;
  for (const torch::Tensor& tensor : tensors) elements += tensor.numel();
  return elements;
}

}  // namespace

TorchStage::TorchStage(Parts parts, PassObserver& observer)
    : job_(parts.place.job),
      stage_(parts.place.stage),
      device_(parts.place.device),
      observer_(observer),
      ports_(parts.place),
      batches_(std::move(parts.batches)),
      rule_(std::move(parts.rule)),
      network_(*parts.network),
      parameter_elements_(ElementsIn(network_.parameters())),
      // The gradients take as much as the weights.
      fixed_bytes_(2 * network_.parameter_bytes() + network_.buffer_bytes() +
                   parts.optimizer_bytes) {}

void TorchStage::SetWaker(std::function<void()> waker) {
  ports_.SetWaker(waker);
}

void TorchStage::Attach(Link* below, Link* above) {
  ports_.Attach(below, above);
}

int64_t TorchStage::peak_memory_bytes() const {
  return fixed_bytes_ + peak_input_bytes_;
}

absl::StatusOr<StepResult> TorchStage::Step() {
  StepResult result;
  const absl::Status status = GuardTorch([this, &result]() -> absl::Status {
    SC_ASSIGN_OR_RETURN(result, Advance());
    return absl::OkStatus();
  });
  if (status.ok()) return result;
  return absl::Status(status.code(),
                      absl::StrCat("stage ", stage_.value(), " at version ",
                                   counts_.backwards, ": ", status.message()));
}

absl::StatusOr<StepResult> TorchStage::Advance() {
  if (!threads_set_) {
    // Per thread, and before anything else: later calls change nothing.
    at::set_num_threads(static_cast<int>(job_->spec.resources.threads));
    threads_set_ = true;
  }
  SC_RETURN_IF_ERROR(ports_.Flush());
  const StageMove move = NextStageMove(*job_, stage_.value(), counts_);
  SC_ASSIGN_OR_RETURN(const WaitReason reason, Make(move));
  if (reason != WaitReason::kNone) {
    observer_.OnWait(reason);
    return StepResult{.kind = StepResult::Kind::kWaiting,
                      .waiting_for = reason};
  }
  counts_ = After(move, *job_, stage_.value(), counts_);
  return StepResult{.kind = move == StageMove::kFinished
                                ? StepResult::Kind::kFinished
                                : StepResult::Kind::kMoved};
}

absl::StatusOr<WaitReason> TorchStage::Make(StageMove move) {
  switch (move) {
    case StageMove::kForward:
      return Forward();
    case StageMove::kRecompute:
      return Recompute();
    case StageMove::kBackward:
      return Backward();
    case StageMove::kEvaluate:
      return Evaluate();
    case StageMove::kFinished:
      break;
  }
  return ports_.all_sent() ? WaitReason::kNone : WaitReason::kCredit;
}

absl::StatusOr<WaitReason> TorchStage::Forward() {
  const ItemId item(counts_.forwards);
  if (!ports_.ready_up(Lane::kTraining)) return WaitReason::kCredit;
  SC_ASSIGN_OR_RETURN(const std::optional<StageInput> input,
                      TakeInput(Lane::kTraining, item));
  if (!input.has_value()) return WaitReason::kInput;

  InFlightItem& kept =
      in_flight_.Add({.item = item,
                      .forward_version = counts_.backwards,
                      .input = input->activations,
                      .targets = last() ? input->targets : torch::Tensor()});
  peak_input_bytes_ = in_flight_.peak_bytes();
  const Watched pass(observer_, Pass::kForward, item);
  Network& network = rule_->ForForward(item);
  torch::Tensor output;
  if (job_->stages[static_cast<size_t>(stage_.value())].recompute) {
    const torch::NoGradGuard without_graph;
    output = network.Forward(kept.input, ForwardMode::kTrain, nullptr);
  } else {
    RunWithGraph(network, /*with_input_gradient=*/!first(), kept);
    output = kept.output;
  }
  if (last()) return WaitReason::kNone;
  SC_RETURN_IF_ERROR(
      ports_.SendUp(Lane::kTraining, item, output, input->targets));
  return WaitReason::kNone;
}

absl::StatusOr<WaitReason> TorchStage::Recompute() {
  InFlightItem& item = in_flight_.oldest();
  const Watched pass(observer_, Pass::kRecompute, item.item);
  RunWithGraph(rule_->ForBackward(item.item), !first(), item);
  return WaitReason::kNone;
}

absl::StatusOr<WaitReason> TorchStage::Backward() {
  if (!ports_.ready_down()) return WaitReason::kCredit;
  InFlightItem& item = in_flight_.oldest();
  SC_ASSIGN_OR_RETURN(const std::optional<torch::Tensor> of_output,
                      TakeGradient(item.item));
  if (!of_output.has_value()) return WaitReason::kGradient;

  Gradients gradients;
  {
    const Watched pass(observer_, Pass::kBackward, item.item);
    Network& network = rule_->ForBackward(item.item);
    gradients = GradientsOf(network, item, *of_output);
    SC_RETURN_IF_ERROR(CheckFinite(item, gradients));
    // Before the update: the stage below has waited long enough.
    if (!first()) {
      SC_RETURN_IF_ERROR(ports_.SendDown(item.item, gradients.input));
    }
  }
  SC_RETURN_IF_ERROR(Update(gradients.parameters));
  return WaitReason::kNone;
}

absl::Status TorchStage::Update(const std::vector<torch::Tensor>& gradients) {
  SC_ASSIGN_OR_RETURN(const UpdateRecord record, RecordOf(in_flight_.oldest()));
  const BatchStatistics statistics = std::move(in_flight_.oldest().statistics);
  in_flight_.RemoveOldest();
  SC_CHECK(!in_flight_.any_graph(), "a graph would outlive its weights");
  {
    const Watched pass(observer_, Pass::kUpdate, record.item);
    const double rate = job_->learning_rate->At(applied());
    SC_RETURN_IF_ERROR(rule_->Apply(record.item, gradients, rate));
    SC_RETURN_IF_ERROR(CheckWeights(record.item));
    network_.Fold(statistics);
  }
  // By now the heap has grown to what an item takes.
  if (record.backward_version == 0) BackHeapByHugePages();
  version_ = record.backward_version + 1;
  observer_.OnUpdate(record);
  return absl::OkStatus();
}

// A finite step may end beyond the largest number.
absl::Status TorchStage::CheckWeights(ItemId item) const {
  if (AllNumbers(network_.flat())) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrCat("the weights are not finite after item ", item.value(),
                   "; a smaller learning rate or weight decay may help"));
}

absl::StatusOr<UpdateRecord> TorchStage::RecordOf(
    const InFlightItem& item) const {
  const int64_t version = counts_.backwards;
  const int64_t promised =
      std::min(item.item.value(), job_->ScheduleOf(stage_.value()).window);
  const int64_t staleness = version - item.forward_version;
  if (version != item.item.value() || staleness != promised) {
    return absl::InternalError(absl::StrCat(
        "item ", item.item.value(), " was forwarded at version ",
        item.forward_version, " and comes back at version ", version,
        "; the method promises a staleness of ", promised));
  }
  return UpdateRecord{.item = item.item,
                      .forward_version = item.forward_version,
                      .backward_version = version,
                      .staleness = staleness,
                      .stored_inputs = in_flight_.size(),
                      .samples = item.samples(),
                      .loss_sum = item.loss.sum,
                      .correct = item.loss.correct};
}

absl::StatusOr<WaitReason> TorchStage::Evaluate() {
  const ItemId item(counts_.evaluation_forwards);
  if (!ports_.ready_up(Lane::kEvaluation)) return WaitReason::kCredit;
  SC_ASSIGN_OR_RETURN(const std::optional<StageInput> input,
                      TakeInput(Lane::kEvaluation, item));
  if (!input.has_value()) return WaitReason::kInput;

  const Watched pass(observer_, Pass::kEvaluate, item);
  const torch::NoGradGuard without_graph;
  const torch::Tensor output = rule_->Published().Forward(
      input->activations, ForwardMode::kEvaluate, nullptr);
  if (last()) {
    CountEvaluated(item, LossOf(output, input->targets), output.size(0));
  } else {
    SC_RETURN_IF_ERROR(
        ports_.SendUp(Lane::kEvaluation, item, output, input->targets));
  }
  return WaitReason::kNone;
}

void TorchStage::CountEvaluated(ItemId item, const Loss& loss,
                                int64_t samples) {
  evaluation_.loss += loss.sum;
  evaluation_.samples += samples;
  evaluation_correct_ += loss.correct;
  if (item.value() + 1 < job_->evaluation_items()) return;
  const auto count = static_cast<double>(evaluation_.samples);
  evaluation_.version = counts_.backwards;
  evaluation_.loss /= count;
  evaluation_.accuracy = static_cast<double>(evaluation_correct_) / count;
  observer_.OnEvaluation(evaluation_);
  evaluation_ = {};
  evaluation_correct_ = 0;
}

absl::StatusOr<std::optional<StageInput>> TorchStage::TakeInput(Lane lane,
                                                                ItemId item) {
  if (!first()) return ports_.TakeInput(lane, item);
  const Watched pass(observer_, Pass::kData, item);
  const LoadedBatch batch =
      lane == Lane::kTraining ? batches_->Train(item) : batches_->Test(item);
  return StageInput{.activations = batch.images.to(device_),
                    .targets = batch.targets.to(device_)};
}

absl::StatusOr<std::optional<torch::Tensor>> TorchStage::TakeGradient(
    ItemId item) {
  // The last stage starts from the loss.
  if (last()) return torch::Tensor();
  return ports_.TakeGradient(item);
}

absl::StatusOr<std::vector<std::string>> TorchStage::DigestLines() const {
  if (NextStageMove(*job_, stage_.value(), counts_) != StageMove::kFinished) {
    return absl::FailedPreconditionError(
        absl::StrCat("stage ", stage_.value(), " is at version ",
                     counts_.backwards, " of ", job_->steps));
  }
  return rule_->Published().DigestLines();
}

}  // namespace stagecoach

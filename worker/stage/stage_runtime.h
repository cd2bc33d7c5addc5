#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "worker/data/batch_loader.h"
#include "worker/model/network.h"
#include "worker/stage/in_flight.h"
#include "worker/stage/moves.h"
#include "worker/stage/passes.h"
#include "worker/stage/ports.h"
#include "worker/stage/stage.h"
#include "worker/update/update_rule.h"

namespace stagecoach {

// A stage that computes with LibTorch. One Step() is one move of moves.h; what
// is read when stands in README.md.
//
// Thread-confined: the stage thread, as Stage says.
class TorchStage final : public Stage {
 public:
  struct Parts {
    StagePorts::Options place;
    std::unique_ptr<BatchLoader> batches;  // first stage only
    std::unique_ptr<UpdateRule> rule;
    Network* network = nullptr;  // the live one, owned by the rule
    int64_t optimizer_bytes = 0;
  };
  TorchStage(Parts parts, PassObserver& observer);

  const LinkSpec* below() const override { return ports_.below(); }
  const LinkSpec* above() const override { return ports_.above(); }
  FrameReceiver& from_below() override { return ports_.from_below(); }
  FrameReceiver& from_above() override { return ports_.from_above(); }
  void SetWaker(std::function<void()> waker) override;
  void Attach(Link* below, Link* above) override;

  absl::StatusOr<StepResult> Step() override;

  int64_t version() const override { return version_; }
  int64_t applied() const override { return version_; }
  int64_t parameter_elements() const override { return parameter_elements_; }
  int64_t peak_memory_bytes() const override;
  absl::StatusOr<std::vector<std::string>> DigestLines() const override;

 private:
  bool first() const { return batches_ != nullptr; }
  bool last() const { return ports_.above() == nullptr; }

  absl::StatusOr<StepResult> Advance();

  // Each makes its move, or says what it waits for.
  absl::StatusOr<WaitReason> Make(StageMove move);
  absl::StatusOr<WaitReason> Forward();
  absl::StatusOr<WaitReason> Recompute();
  absl::StatusOr<WaitReason> Backward();
  absl::StatusOr<WaitReason> Evaluate();

  absl::StatusOr<std::optional<StageInput>> TakeInput(Lane lane, ItemId item);
  absl::StatusOr<std::optional<torch::Tensor>> TakeGradient(ItemId item);
  absl::Status Update(const std::vector<torch::Tensor>& gradients);
  absl::Status CheckWeights(ItemId item) const;
  absl::StatusOr<UpdateRecord> RecordOf(const InFlightItem& item) const;
  void CountEvaluated(ItemId item, const Loss& loss, int64_t samples);

  const std::shared_ptr<const ResolvedJob> job_;
  const StageIndex stage_;
  const torch::Device device_;
  PassObserver& observer_;
  StagePorts ports_;
  const std::unique_ptr<BatchLoader> batches_;
  const std::unique_ptr<UpdateRule> rule_;
  Network& network_;
  const int64_t parameter_elements_;
  const int64_t fixed_bytes_;

  bool threads_set_ = false;
  StageCounts counts_;
  InFlight in_flight_;
  Evaluation evaluation_;  // its sums so far, while one runs
  int64_t evaluation_correct_ = 0;
  std::atomic<int64_t> version_ = 0;
  std::atomic<int64_t> peak_input_bytes_ = 0;
};

}  // namespace stagecoach

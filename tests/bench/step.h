#pragma once

#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/model/model.h"
#include "worker/update/update_rule.h"

namespace stagecoach {

struct Batch {
  torch::Tensor images;
  torch::Tensor targets;
};

// The same every time, channels_last.
Batch SyntheticBatch(int64_t samples, const Shape& sample, int64_t classes);

// The product's training step without stages: K = 1, sgd with momentum.
class OwnStep {
 public:
  // `model` must outlive this object.
  explicit OwnStep(const Model& model);

  // One step: forward, loss, backward, update, fold.
  void Train(const Batch& batch, double rate);

 private:
  std::unique_ptr<UpdateRule> rule_;
  int64_t item_ = 0;
};

// What one batch costs in one unit in the middle of a step of the whole model,
// where caches hold what they do then. Processor seconds, medians.
struct UnitCost {
  std::string name;
  double forward = 0;   // without a graph
  double training = 0;  // forward with a graph, and backward
};
std::vector<UnitCost> MeasureUnits(const Model& model, int64_t samples,
                                   int rounds);

// Seconds per item of stage 0 and stage 1 of DSP cut before unit `cut`.
struct StageCosts {
  double lower = 0;
  double upper = 0;
  double busier() const { return lower > upper ? lower : upper; }
};
StageCosts CostsAtCut(const std::vector<UnitCost>& units, size_t cut);
// The cut whose busier stage is the least busy.
size_t BestCut(const std::vector<UnitCost>& units);

}  // namespace stagecoach

#include "tests/bench/step.h"

#include <torch/csrc/autograd/autograd.h>

#include <utility>

#include "core/base/check.h"
#include "tests/bench/measure.h"

namespace stagecoach {
namespace {

NetworkOptions Options() { return {.channels_last = true}; }

std::unique_ptr<Network> NetworkOf(absl::Span<const PlacedLayer> units) {
  auto network = Network::Create(units, Options());
  SC_CHECK(network.ok(), network.status().ToString());
  return *std::move(network);
}

torch::Tensor Waves(const std::vector<int64_t>& shape) {
  int64_t elements = 1;
  for (const int64_t size : shape) elements *= size;
  const torch::Tensor values =
      at::sin(at::arange(elements, torch::kFloat32) * 0.37f).reshape(shape);
  return shape.size() == 4 ? values.contiguous(at::MemoryFormat::ChannelsLast)
                           : values;
}

Shape WithSamples(int64_t samples, Shape sample) {
  sample.insert(sample.begin(), samples);
  return sample;
}

// One unit in the middle of a whole step.
class MeasuredUnit {
 public:
  explicit MeasuredUnit(absl::Span<const PlacedLayer> unit)
      : name_(unit[0].name), network_(NetworkOf(unit)) {}

  torch::Tensor Forward(const torch::Tensor& input) {
    torch::Tensor output;
    forward_.push_back(TimeOf([&] {
      const at::NoGradGuard no_graph;
      output = network_->Forward(input, ForwardMode::kTrain, nullptr);
    }));
    return output;
  }

  // Keeps the graph, which begins at the input.
  torch::Tensor ForwardWithGraph(const torch::Tensor& input, bool first) {
    graph_.push_back(TimeOf([&] {
      input_ = input.detach().requires_grad_(!first);
      output_ = network_->Forward(input_, ForwardMode::kTrain, &statistics_);
    }));
    return output_;
  }

  // Returns the gradient of the input, where it was not the first one's.
  torch::Tensor Backward(const torch::Tensor& gradient) {
    torch::Tensor of_input;
    backward_.push_back(TimeOf([&] {
      std::vector<torch::Tensor> inputs = network_->parameters();
      if (input_.requires_grad()) inputs.push_back(input_);
      of_input = torch::autograd::grad({output_}, inputs, {gradient}).back();
      input_ = output_ = torch::Tensor();
      statistics_.clear();
    }));
    return of_input;
  }

  UnitCost Cost() const {
    return {.name = name_,
            .forward = Median(ProcessorTimes(forward_)),
            .training = Median(ProcessorTimes(graph_)) +
                        Median(ProcessorTimes(backward_))};
  }

 private:
  std::string name_;
  std::unique_ptr<Network> network_;
  torch::Tensor input_;
  torch::Tensor output_;
  BatchStatistics statistics_;
  std::vector<Seconds> forward_;
  std::vector<Seconds> graph_;
  std::vector<Seconds> backward_;
};

void StepOnce(std::vector<MeasuredUnit>& units, const torch::Tensor& images) {
  torch::Tensor output = images;
  for (MeasuredUnit& unit : units) output = unit.Forward(output);
  output = images;
  for (MeasuredUnit& unit : units) {
    output = unit.ForwardWithGraph(output, &unit == &units.front());
  }
  torch::Tensor gradient = Waves(output.sizes().vec());
  for (auto unit = units.rbegin(); unit != units.rend(); ++unit) {
    gradient = unit->Backward(gradient);
  }
}

}  // namespace

Batch SyntheticBatch(int64_t samples, const Shape& sample, int64_t classes) {
  return {.images = Waves(WithSamples(samples, sample)),
          .targets = at::arange(samples, torch::kInt64).remainder(classes)};
}

OwnStep::OwnStep(const Model& model) {
  auto network = NetworkOf(model.units);
  auto optimizer = (*OptimizerMakers().Find("sgd"))(
      {{"momentum", 0.9}, {"weight_decay", 5e-4}, {"nesterov", false}},
      *network);
  rule_ = (*UpdateRules().Find("bp"))(Value::object(), std::move(network),
                                      std::move(optimizer));
}

void OwnStep::Train(const Batch& batch, double rate) {
  const ItemId item(item_++);
  Network& network = rule_->ForForward(item);
  BatchStatistics statistics;
  const torch::Tensor logits =
      network.Forward(batch.images, ForwardMode::kTrain, &statistics);
  const torch::Tensor sum =
      at::cross_entropy_loss(logits, batch.targets, {}, at::Reduction::Sum);
  const auto gradients =
      torch::autograd::grad({sum / batch.images.size(0)}, network.parameters());
  const absl::Status status = rule_->Apply(item, gradients, rate);
  SC_CHECK(status.ok(), status.ToString());
  network.Fold(statistics);
}

std::vector<UnitCost> MeasureUnits(const Model& model, int64_t samples,
                                   int rounds) {
  const auto all = absl::MakeConstSpan(model.units);
  std::vector<MeasuredUnit> warm;
  std::vector<MeasuredUnit> units;
  for (size_t i = 0; i < all.size(); ++i) {
    warm.emplace_back(all.subspan(i, 1));
    units.emplace_back(all.subspan(i, 1));
  }
  const torch::Tensor images = Waves(WithSamples(samples, model.input()));
  StepOnce(warm, images);
  for (int round = 0; round < rounds; ++round) StepOnce(units, images);
  std::vector<UnitCost> costs;
  for (const MeasuredUnit& unit : units) costs.push_back(unit.Cost());
  return costs;
}

StageCosts CostsAtCut(const std::vector<UnitCost>& units, size_t cut) {
  StageCosts costs;
  for (size_t i = 0; i < units.size(); ++i) {
    if (i < cut) {
      costs.lower += units[i].forward + units[i].training;
    } else {
      costs.upper += units[i].training;
    }
  }
  return costs;
}

size_t BestCut(const std::vector<UnitCost>& units) {
  size_t best = 1;
  for (size_t cut = 2; cut < units.size(); ++cut) {
    if (CostsAtCut(units, cut).busier() < CostsAtCut(units, best).busier()) {
      best = cut;
    }
  }
  return best;
}

}  // namespace stagecoach

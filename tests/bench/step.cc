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

UnitCost MeasureUnit(absl::Span<const PlacedLayer> unit, bool first,
                     int64_t samples, int rounds) {
  const auto network = NetworkOf(unit);
  const torch::Tensor input =
      Waves(WithSamples(samples, unit[0].input)).requires_grad_(!first);
  const torch::Tensor gradient = Waves(WithSamples(samples, unit[0].output));
  std::vector<torch::Tensor> variables = network->parameters();
  if (!first) variables.push_back(input);
  const auto forward = [&] {
    const at::NoGradGuard no_graph;
    network->Forward(input, ForwardMode::kTrain, nullptr);
  };
  const auto training = [&] {
    BatchStatistics statistics;
    const torch::Tensor output =
        network->Forward(input, ForwardMode::kTrain, &statistics);
    torch::autograd::grad({output}, variables, {gradient});
  };
  training();
  const Paired times = TimeInTurn(rounds, forward, training);
  return {.name = unit[0].name,
          .forward = Median(ProcessorTimes(times.first)),
          .training = Median(ProcessorTimes(times.second))};
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
  std::vector<UnitCost> costs;
  const auto units = absl::MakeConstSpan(model.units);
  for (size_t i = 0; i < units.size(); ++i) {
    costs.push_back(MeasureUnit(units.subspan(i, 1), i == 0, samples, rounds));
  }
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

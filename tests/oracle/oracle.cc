#include "tests/oracle/oracle.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "tests/oracle/digest.h"
#include "tests/oracle/streams.h"

namespace stagecoach::oracle {
namespace {

struct Stage {
  std::vector<Unit> units;
  std::vector<TensorSpec> specs;
  int64_t staleness = 0;
  // Parameters and buffers after 0, 1, 2, ... updates; those that no item
  // reads any more are emptied.
  std::vector<Tensors> versions;
  Tensors optimizer_state;
};

// What a pass with a graph leaves behind at one stage.
struct Graph {
  at::Tensor input;
  Tensors tensors;
  at::Tensor output;
  Tensors statistics;
};

// A copy without history that lies as section 9 says.
at::Tensor Dense(const at::Tensor& tensor, at::MemoryFormat format) {
  at::Tensor copy =
      at::empty(tensor.sizes(), tensor.options().requires_grad(false),
                tensor.dim() == 4 ? format : at::MemoryFormat::Contiguous);
  copy.copy_(tensor.detach());
  return copy;
}

std::vector<Stage> MakeStages(const OracleJob& job) {
  const std::vector<TensorSpec> all = SpecsOf(job.units);
  const Tensors initial = InitialTensors(all, job.seed, job.format);
  std::vector<int64_t> bounds = job.cuts;
  bounds.insert(bounds.begin(), 0);
  bounds.push_back(static_cast<int64_t>(job.units.size()));
  std::vector<Stage> stages;
  size_t placed = 0;
  for (size_t k = 0; k + 1 < bounds.size(); ++k) {
    Stage stage;
    stage.units.assign(job.units.begin() + bounds[k],
                       job.units.begin() + bounds[k + 1]);
    stage.staleness = job.bp ? 0 : job.staleness.at(k);
    // The numbering is the whole model's, so a stage takes its share of it.
    stage.specs.assign(all.begin() + placed,
                       all.begin() + placed + SpecsOf(stage.units).size());
    placed += stage.specs.size();
    Tensors& tensors = stage.versions.emplace_back();
    for (const TensorSpec& spec : stage.specs) {
      const at::Tensor& value = initial.at(spec.name);
      tensors[spec.name] = value;
      if (spec.is_buffer) continue;
      const bool sum = job.optimizer.kind == Optimizer::Kind::kSum;
      stage.optimizer_state[spec.name] = sum ? value : at::zeros_like(value);
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

at::Tensor WithoutGraph(const Stage& stage, at::Tensor input,
                        const Tensors& tensors, Pass pass) {
  const at::NoGradGuard no_graph;
  for (const Unit& unit : stage.units) {
    input = Apply(unit, input, tensors, pass, nullptr);
  }
  return input;
}

Graph WithGraph(const Stage& stage, const at::Tensor& input,
                const Tensors& tensors, bool input_needs_gradient) {
  Graph graph;
  graph.input = input.detach().requires_grad_(input_needs_gradient);
  for (const TensorSpec& spec : stage.specs) {
    const at::Tensor& tensor = tensors.at(spec.name);
    graph.tensors[spec.name] =
        spec.is_buffer ? tensor : tensor.detach().requires_grad_(true);
  }
  graph.output = graph.input;
  for (const Unit& unit : stage.units) {
    graph.output = Apply(unit, graph.output, graph.tensors, Pass::kRecord,
                         &graph.statistics);
  }
  return graph;
}

// Backpropagates, makes the next version, and returns the gradient with
// respect to the stage's input.
at::Tensor BackwardAndUpdate(const OracleJob& job, Stage& stage,
                             const Graph& graph, const at::Tensor& output,
                             const at::Tensor& gradient) {
  std::vector<at::Tensor> inputs;
  for (const TensorSpec& spec : stage.specs) {
    if (!spec.is_buffer) inputs.push_back(graph.tensors.at(spec.name));
  }
  if (graph.input.requires_grad()) inputs.push_back(graph.input);
  std::vector<at::Tensor> gradients;
  if (gradient.defined()) gradients.push_back(gradient);
  const std::vector<at::Tensor> found =
      torch::autograd::grad({output}, inputs, gradients);

  const int64_t t = static_cast<int64_t>(stage.versions.size()) - 1;
  const double rate = RateAt(job.rate, t, ItemsOf(job));
  const Tensors& old = stage.versions.back();
  Tensors next;
  auto next_gradient = found.begin();
  for (const TensorSpec& spec : stage.specs) {
    next[spec.name] =
        spec.is_buffer
            ? Folded(old.at(spec.name), graph.statistics.at(spec.name))
            : Updated(job.optimizer, rate, old.at(spec.name), *next_gradient++,
                      stage.optimizer_state.at(spec.name));
  }
  stage.versions.push_back(std::move(next));
  return graph.input.requires_grad() ? found.back() : at::Tensor();
}

at::Tensor LossSum(const at::Tensor& logits, const at::Tensor& targets) {
  return at::cross_entropy_loss(logits, targets, {}, at::Reduction::Sum);
}

int64_t CorrectOf(const at::Tensor& logits, const at::Tensor& targets) {
  const at::Tensor rows = logits.detach().contiguous();
  int64_t correct = 0;
  for (int64_t i = 0; i < rows.size(0); ++i) {
    const float* row = rows.const_data_ptr<float>() + i * rows.size(1);
    const int64_t largest = std::max_element(row, row + rows.size(1)) - row;
    correct += largest == targets.const_data_ptr<int64_t>()[i];
  }
  return correct;
}

Batch BatchOfItem(const OracleJob& job, const std::vector<int64_t>& order,
                  int64_t item) {
  const int64_t first = item % BatchesOf(job) * job.batch_size;
  const int64_t end = std::min(first + job.batch_size, job.training.samples());
  return MakeBatch(job.training, job.normalisation,
                   {order.begin() + first, order.begin() + end},
                   job.augmentations, job.seed, item / BatchesOf(job),
                   job.format);
}

// Section 8, in one place: what each stage computes for one item.
void TrainOn(const OracleJob& job, const Batch& batch, int64_t item,
             std::vector<Stage>& stages, OracleResult& result) {
  const size_t last = stages.size() - 1;
  std::vector<at::Tensor> inputs = {batch.inputs};
  std::vector<Graph> graphs(stages.size());
  for (size_t k = 0; k < stages.size(); ++k) {
    Stage& stage = stages[k];
    const int64_t version = std::max<int64_t>(0, item - stage.staleness);
    result.staleness[k].push_back(item - version);
    if (job.bp) {
      graphs[k] = WithGraph(stage, inputs[k], stage.versions[item], k > 0);
      inputs.push_back(Dense(graphs[k].output, job.format));
    } else if (k < last) {
      inputs.push_back(
          Dense(WithoutGraph(stage, inputs[k], stage.versions[version],
                             Pass::kForward),
                job.format));
    }
    if (version > 0) stage.versions[version - 1].clear();
  }

  at::Tensor gradient;
  for (size_t k = last + 1; k-- > 0;) {
    Stage& stage = stages[k];
    if (!job.bp) {
      graphs[k] = WithGraph(stage, inputs[k], stage.versions[item], k > 0);
    }
    at::Tensor output = graphs[k].output;
    if (k == last) {
      const at::Tensor sum = LossSum(output, batch.targets);
      result.loss_sums.push_back(sum.item<float>());
      result.correct.push_back(CorrectOf(output, batch.targets));
      output = sum / static_cast<double>(batch.targets.size(0));
    }
    gradient = BackwardAndUpdate(job, stage, graphs[k], output, gradient);
    if (k > 0) gradient = Dense(gradient, job.format);
  }
}

Evaluation Evaluate(const OracleJob& job, const std::vector<Stage>& stages,
                    int64_t version) {
  Evaluation evaluation{.version = version, .samples = job.test.samples()};
  for (int64_t first = 0; first < job.test.samples(); first += job.batch_size) {
    std::vector<int64_t> samples(
        std::min(job.batch_size, job.test.samples() - first));
    std::iota(samples.begin(), samples.end(), first);
    const Batch batch = MakeBatch(job.test, job.normalisation, samples, {},
                                  job.seed, 0, job.format);
    at::Tensor values = batch.inputs;
    for (const Stage& stage : stages) {
      values = Dense(
          WithoutGraph(stage, values, stage.versions[version], Pass::kEvaluate),
          job.format);
    }
    evaluation.loss_sum += LossSum(values, batch.targets).item<float>();
    evaluation.correct += CorrectOf(values, batch.targets);
  }
  return evaluation;
}

}  // namespace

int64_t BatchesOf(const OracleJob& job) {
  return (job.training.samples() + job.batch_size - 1) / job.batch_size;
}

int64_t ItemsOf(const OracleJob& job) { return job.epochs * BatchesOf(job); }

OracleResult RunOracle(const OracleJob& job) {
  at::set_num_threads(job.threads);
  std::vector<Stage> stages = MakeStages(job);
  OracleResult result;
  result.staleness.resize(stages.size());
  std::vector<int64_t> order;
  for (int64_t item = 0; item < ItemsOf(job); ++item) {
    const int64_t epoch = item / BatchesOf(job);
    if (item % BatchesOf(job) == 0) {
      order = OrderOf(job.seed, job.training.samples(), epoch);
    }
    TrainOn(job, BatchOfItem(job, order, item), item, stages, result);
    if ((item + 1) % BatchesOf(job) == 0 && job.test.samples() > 0) {
      result.evaluations.push_back(Evaluate(job, stages, item + 1));
    }
  }
  for (const Stage& stage : stages) {
    for (const auto& [name, tensor] : stage.versions.back()) {
      result.tensors[name] = tensor;
    }
  }
  result.digest_lines = DigestLines(SpecsOf(job.units), result.tensors);
  result.weights_digest = DigestOf(result.digest_lines);
  return result;
}

}  // namespace stagecoach::oracle

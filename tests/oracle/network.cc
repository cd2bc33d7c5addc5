#include "tests/oracle/network.h"

#include "tests/oracle/streams.h"

namespace stagecoach::oracle {
namespace {

using Kind = Layer::Kind;

Layer Conv(const std::string& name, int64_t inputs, int64_t outputs,
           int64_t kernel, int64_t stride) {
  return {.kind = Kind::kConv,
          .name = name,
          .inputs = inputs,
          .outputs = outputs,
          .kernel = kernel,
          .stride = stride,
          .padding = kernel / 2};
}

Layer Norm(const std::string& name, int64_t channels) {
  return {.kind = Kind::kBatchNorm, .name = name, .outputs = channels};
}

Layer Linear(const std::string& name, int64_t inputs, int64_t outputs) {
  return {.kind = Kind::kLinear,
          .name = name,
          .inputs = inputs,
          .outputs = outputs,
          .bias = true};
}

Layer Plain(Kind kind) { return {.kind = kind}; }

Unit Block(const std::string& name, int64_t inputs, int64_t outputs,
           int64_t stride) {
  Layer residual = Plain(Kind::kResidual);
  residual.body = {Conv(name + ".conv1", inputs, outputs, 3, stride),
                   Norm(name + ".norm1", outputs), Plain(Kind::kRelu),
                   Conv(name + ".conv2", outputs, outputs, 3, 1),
                   Norm(name + ".norm2", outputs)};
  if (stride != 1 || inputs != outputs) {
    residual.shortcut = {
        Conv(name + ".shortcut.conv", inputs, outputs, 1, stride),
        Norm(name + ".shortcut.norm", outputs)};
  }
  return {residual, Plain(Kind::kRelu)};
}

void AddSpecs(const std::vector<Layer>& layers, int64_t& next,
              std::vector<TensorSpec>& specs) {
  const auto parameter = [&](const std::string& name,
                             const std::vector<int64_t>& shape, int64_t fan_in,
                             float constant) {
    specs.push_back({name, shape, false, fan_in, constant, next});
    int64_t elements = 1;
    for (int64_t size : shape) elements *= size;
    next += elements;
  };
  for (const Layer& layer : layers) {
    const std::vector<int64_t> vector = {layer.outputs};
    if (layer.kind == Kind::kConv) {
      const int64_t fan_in = layer.inputs * layer.kernel * layer.kernel;
      parameter(layer.name + ".weight",
                {layer.outputs, layer.inputs, layer.kernel, layer.kernel},
                fan_in, 0);
      if (layer.bias) parameter(layer.name + ".bias", vector, fan_in, 0);
    } else if (layer.kind == Kind::kLinear) {
      parameter(layer.name + ".weight", {layer.outputs, layer.inputs},
                layer.inputs, 0);
      if (layer.bias) parameter(layer.name + ".bias", vector, layer.inputs, 0);
    } else if (layer.kind == Kind::kBatchNorm) {
      parameter(layer.name + ".weight", vector, 0, 1);
      parameter(layer.name + ".bias", vector, 0, 0);
      specs.push_back({layer.name + ".running_mean", vector, true, 0, 0, -1});
      specs.push_back({layer.name + ".running_var", vector, true, 0, 1, -1});
    }
    AddSpecs(layer.body, next, specs);
    AddSpecs(layer.shortcut, next, specs);
  }
}

at::Tensor Normalised(const Layer& layer, const at::Tensor& input,
                      const Tensors& tensors, Pass pass, Tensors* statistics) {
  const at::Tensor& weight = tensors.at(layer.name + ".weight");
  const at::Tensor& bias = tensors.at(layer.name + ".bias");
  if (pass == Pass::kEvaluate) {
    return at::batch_norm(input, weight, bias,
                          tensors.at(layer.name + ".running_mean"),
                          tensors.at(layer.name + ".running_var"),
                          /*training=*/false, 0.1, 1e-5, false);
  }
  // With momentum 1 the kernel leaves the batch's own statistics here.
  const at::Tensor mean = at::zeros({layer.outputs}, at::kFloat);
  const at::Tensor variance = at::zeros({layer.outputs}, at::kFloat);
  at::Tensor output = at::batch_norm(input, weight, bias, mean, variance,
                                     /*training=*/true, 1.0, 1e-5, false);
  if (pass == Pass::kRecord) {
    (*statistics)[layer.name + ".running_mean"] = mean;
    (*statistics)[layer.name + ".running_var"] = variance;
  }
  return output;
}

at::Tensor BiasOf(const Layer& layer, const Tensors& tensors) {
  return layer.bias ? tensors.at(layer.name + ".bias") : at::Tensor();
}

}  // namespace

std::vector<Unit> Mlp(const std::vector<int64_t>& sizes) {
  std::vector<Unit> units;
  for (size_t i = 0; i + 1 < sizes.size(); ++i) {
    Unit unit;
    if (i == 0) unit.push_back(Plain(Kind::kFlatten));
    unit.push_back(
        Linear("linear" + std::to_string(i), sizes[i], sizes[i + 1]));
    if (i + 2 < sizes.size()) unit.push_back(Plain(Kind::kRelu));
    units.push_back(unit);
  }
  return units;
}

std::vector<Unit> ResNet(int64_t depth, int64_t width, int64_t classes,
                         int64_t channels) {
  const int64_t n = (depth - 2) / 6;
  std::vector<Unit> units = {{Conv("stem.conv", channels, width, 3, 1),
                              Norm("stem.norm", width), Plain(Kind::kRelu)}};
  int64_t inputs = width;
  for (int64_t j = 1; j <= 3 * n; ++j) {
    const int64_t group = (j - 1) / n;
    const bool first = (j - 1) % n == 0;
    const int64_t outputs = width << group;
    units.push_back(Block("block" + std::to_string(j), inputs, outputs,
                          group > 0 && first ? 2 : 1));
    inputs = outputs;
  }
  units.push_back({Plain(Kind::kAveragePool), Plain(Kind::kFlatten),
                   Linear("head.linear", inputs, classes)});
  return units;
}

std::vector<TensorSpec> SpecsOf(const std::vector<Unit>& units) {
  std::vector<TensorSpec> specs;
  int64_t next = 0;
  for (const Unit& unit : units) AddSpecs(unit, next, specs);
  return specs;
}

Tensors InitialTensors(const std::vector<TensorSpec>& specs, uint64_t seed,
                       at::MemoryFormat format) {
  Tensors tensors;
  for (const TensorSpec& spec : specs) {
    at::Tensor values = at::full(spec.shape, spec.constant, at::kFloat);
    for (int64_t j = 0; spec.fan_in > 0 && j < values.numel(); ++j) {
      values.data_ptr<float>()[j] =
          InitialValue(seed, spec.first + j, spec.fan_in);
    }
    at::Tensor tensor = values;
    if (values.dim() == 4) {
      tensor = at::empty(spec.shape, values.options(), format);
      tensor.copy_(values);
    }
    tensors[spec.name] = tensor;
  }
  return tensors;
}

at::Tensor Apply(const Layer& layer, const at::Tensor& input,
                 const Tensors& tensors, Pass pass, Tensors* statistics) {
  switch (layer.kind) {
    case Kind::kConv:
      return at::conv2d(input, tensors.at(layer.name + ".weight"),
                        BiasOf(layer, tensors), layer.stride, layer.padding);
    case Kind::kBatchNorm:
      return Normalised(layer, input, tensors, pass, statistics);
    case Kind::kRelu:
      return at::relu(input);
    case Kind::kLinear:
      return at::linear(input, tensors.at(layer.name + ".weight"),
                        BiasOf(layer, tensors));
    case Kind::kFlatten:
      return at::flatten(input, 1);
    case Kind::kAveragePool:
      return at::adaptive_avg_pool2d(input, {1, 1});
    case Kind::kResidual:
      break;
  }
  const at::Tensor body = Apply(layer.body, input, tensors, pass, statistics);
  return body + Apply(layer.shortcut, input, tensors, pass, statistics);
}

at::Tensor Apply(const std::vector<Layer>& layers, at::Tensor input,
                 const Tensors& tensors, Pass pass, Tensors* statistics) {
  for (const Layer& layer : layers) {
    input = Apply(layer, input, tensors, pass, statistics);
  }
  return input;
}

}  // namespace stagecoach::oracle

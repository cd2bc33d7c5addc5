#include "tests/bench/plain_resnet.h"

#include <torch/csrc/autograd/autograd.h>

namespace stagecoach {
namespace {

constexpr double kMomentum = 0.9;
constexpr double kWeightDecay = 5e-4;

}  // namespace

PlainResnet::PlainResnet(const Options& options) : options_(options) {
  stem_ = MakeConvNorm(3, options_.width, 3, 1);
  int64_t channels = options_.width;
  for (int64_t group = 0; group < 3; ++group) {
    for (int64_t i = 0; i < options_.depth / 6; ++i) {
      const int64_t outputs = options_.width << group;
      const int64_t stride = group > 0 && i == 0 ? 2 : 1;
      Block block = {.first = MakeConvNorm(channels, outputs, 3, stride),
                     .second = MakeConvNorm(outputs, outputs, 3, 1)};
      if (channels != outputs) {
        block.shortcut.push_back(MakeConvNorm(channels, outputs, 1, stride));
      }
      blocks_.push_back(block);
      channels = outputs;
    }
  }
  head_weight_ = Parameter(at::randn({options_.classes, channels}) * 0.1);
  head_bias_ = Parameter(at::zeros({options_.classes}));
}

torch::Tensor PlainResnet::Parameter(torch::Tensor values) {
  if (options_.channels_last && values.dim() == 4) {
    values = values.contiguous(at::MemoryFormat::ChannelsLast);
  }
  values.requires_grad_();
  parameters_.push_back(values);
  velocities_.push_back(at::zeros_like(values));
  return values;
}

PlainResnet::ConvNorm PlainResnet::MakeConvNorm(int64_t inputs, int64_t outputs,
                                                int64_t kernel,
                                                int64_t stride) {
  ConvNorm layer;
  layer.weight = Parameter(at::randn({outputs, inputs, kernel, kernel}) * 0.1);
  layer.scale = Parameter(at::ones({outputs}));
  layer.shift = Parameter(at::zeros({outputs}));
  layer.running_mean = at::zeros({outputs});
  layer.running_var = at::ones({outputs});
  layer.stride = stride;
  return layer;
}

torch::Tensor PlainResnet::Apply(const ConvNorm& layer,
                                 const torch::Tensor& x) const {
  return at::batch_norm(
      at::conv2d(x, layer.weight, {}, layer.stride, layer.weight.size(2) / 2),
      layer.scale, layer.shift, layer.running_mean, layer.running_var,
      /*training=*/true, /*momentum=*/0.1, /*eps=*/1e-5,
      /*cudnn_enabled=*/true);
}

torch::Tensor PlainResnet::Relu(torch::Tensor x) const {
  return options_.relu_in_place ? at::relu_(x) : at::relu(x);
}

torch::Tensor PlainResnet::Logits(const torch::Tensor& images) const {
  torch::Tensor x = Relu(Apply(stem_, images));
  for (const Block& block : blocks_) {
    const torch::Tensor body = Apply(block.second, Relu(Apply(block.first, x)));
    const torch::Tensor shortcut =
        block.shortcut.empty() ? x : Apply(block.shortcut[0], x);
    x = Relu(body + shortcut);
  }
  return at::linear(at::flatten(at::adaptive_avg_pool2d(x, {1, 1}), 1),
                    head_weight_, head_bias_);
}

void PlainResnet::Train(const torch::Tensor& images,
                        const torch::Tensor& targets, double rate) {
  for (torch::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  at::cross_entropy_loss(Logits(images), targets).backward();
  Update(rate);
}

// As torch::optim::SGD does it.
void PlainResnet::Update(double rate) {
  const at::NoGradGuard no_graph;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const torch::Tensor gradient =
        parameters_[i].grad().add(parameters_[i], kWeightDecay);
    velocities_[i].mul_(kMomentum).add_(gradient);
    parameters_[i].add_(velocities_[i], -rate);
  }
}

}  // namespace stagecoach

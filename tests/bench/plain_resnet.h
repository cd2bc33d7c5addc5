#pragma once

#include <torch/types.h>

#include <vector>

namespace stagecoach {

// ResNet-20, -56, ... for images of 3 channels, trained as one writes it with
// LibTorch alone: a tensor of its own for every parameter, batch normalisation
// with running statistics, backward() into gradients, SGD with momentum by
// operations on whole tensors. What the product's step is compared with.
class PlainResnet {
 public:
  struct Options {
    int64_t depth = 20;
    int64_t width = 16;
    int64_t classes = 10;
    bool channels_last = true;
    bool relu_in_place = true;
  };

  explicit PlainResnet(const Options& options);

  // One step: forward, loss, backward, update.
  void Train(const torch::Tensor& images, const torch::Tensor& targets,
             double rate);

 private:
  struct ConvNorm {
    torch::Tensor weight;
    torch::Tensor scale;
    torch::Tensor shift;
    torch::Tensor running_mean;
    torch::Tensor running_var;
    int64_t stride;
  };
  struct Block {
    ConvNorm first;
    ConvNorm second;
    std::vector<ConvNorm> shortcut;  // one or none
  };

  torch::Tensor Parameter(torch::Tensor values);
  ConvNorm MakeConvNorm(int64_t inputs, int64_t outputs, int64_t kernel,
                        int64_t stride);
  torch::Tensor Apply(const ConvNorm& layer, const torch::Tensor& x) const;
  torch::Tensor Relu(torch::Tensor x) const;
  torch::Tensor Logits(const torch::Tensor& images) const;
  void Update(double rate);

  const Options options_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> velocities_;
  ConvNorm stem_;
  std::vector<Block> blocks_;
  torch::Tensor head_weight_;
  torch::Tensor head_bias_;
};

}  // namespace stagecoach

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/worker/model/placed_models.h"

// Gradients against central differences in float64, of parameters and input.
namespace stagecoach {
namespace {

struct Case {
  std::string name;
  std::vector<LayerSpec> layers;
  Shape input;
};

torch::Tensor Waves(const std::vector<int64_t>& shape, double frequency) {
  int64_t elements = 1;
  for (const int64_t size : shape) elements *= size;
  return at::sin(at::arange(elements, torch::kFloat64) * frequency + 0.3)
      .reshape(shape);
}

// A scalar to which every output contributes differently.
torch::Tensor Objective(Network& network, const torch::Tensor& input) {
  const torch::Tensor output =
      network.Forward(input, ForwardMode::kTrain, nullptr);
  return (output * Waves(output.sizes().vec(), 1.7)).sum();
}

// d objective / d values, one element at a time; `values` is dense.
torch::Tensor Differences(Network& network, const torch::Tensor& input,
                          const torch::Tensor& values) {
  const at::NoGradGuard no_graph;
  constexpr double kStep = 1e-5;
  torch::Tensor slopes = at::empty_like(values);
  double* const x = values.data_ptr<double>();
  double* const slope = slopes.data_ptr<double>();
  for (int64_t i = 0; i < values.numel(); ++i) {
    const double here = x[i];
    x[i] = here + kStep;
    const double above = Objective(network, input).item<double>();
    x[i] = here - kStep;
    const double below = Objective(network, input).item<double>();
    x[i] = here;
    slope[i] = (above - below) / (2 * kStep);
  }
  return slopes;
}

class GradientsTest : public testing::TestWithParam<std::tuple<Case, bool>> {};

TEST_P(GradientsTest, AreTheSlopesOfTheForwardPass) {
  at::set_num_threads(1);  // tensors of a few elements
  const auto& [test_case, channels_last] = GetParam();
  const Model model = PlacedModel(test_case.layers, test_case.input);
  const auto network = NetworkOf(
      model, {.channels_last = channels_last, .dtype = torch::kFloat64});
  Shape shape = test_case.input;
  shape.insert(shape.begin(), 3);  // samples
  torch::Tensor input = Waves(shape, 0.9);
  if (channels_last && input.dim() == 4) {
    input = input.contiguous(at::MemoryFormat::ChannelsLast);
  }
  input.requires_grad_();
  std::vector<torch::Tensor> variables = network->parameters();
  variables.push_back(input);

  const auto gradients =
      torch::autograd::grad({Objective(*network, input)}, variables);

  for (size_t i = 0; i < variables.size(); ++i) {
    const torch::Tensor slopes =
        Differences(*network, input, variables[i].detach());
    const double error = at::abs(gradients[i] - slopes).max().item<double>();
    const double scale = 1 + at::abs(slopes).max().item<double>();
    EXPECT_LT(error, 1e-7 * scale) << "variable " << i;
  }
}

std::vector<Case> Cases() {
  const auto conv = [](const char* name, int stride) {
    return LayerOf(name, "conv",
                   {{"channels", 4}, {"stride", stride}, {"padding", 1}});
  };
  return {
      {"Linear", {LayerOf("linear", "linear", {{"features", 3}})}, {5}},
      {"Conv", {conv("conv", 2)}, {2, 5, 5}},
      {"GroupedConv",
       {LayerOf("conv", "conv", {{"channels", 4}, {"groups", 2}})},
       {2, 4, 4}},
      {"BatchNorm", {LayerOf("norm", "batch_norm")}, {2, 3, 3}},
      {"Head",
       {LayerOf("pool", "average_pool"), LayerOf("flatten", "flatten"),
        LayerOf("linear", "linear", {{"features", 2}})},
       {3, 3, 3}},
      {"ConvNormRelu",
       {conv("conv", 1), LayerOf("norm", "batch_norm"),
        LayerOf("relu", "relu")},
       {2, 4, 4}},
      {"PlainResidual",
       {ResidualOf("residual", {LayerOf("linear", "linear", {{"features", 4}}),
                                LayerOf("relu", "relu")})},
       {4}},
      {"ProjectedResidual",
       {ResidualOf("residual", {conv("conv", 2), LayerOf("norm", "batch_norm")},
                   {LayerOf("side", "conv",
                            {{"channels", 4}, {"kernel", 1}, {"stride", 2}}),
                    LayerOf("side_norm", "batch_norm")}),
        LayerOf("relu", "relu")},
       {2, 4, 4}},
  };
}

INSTANTIATE_TEST_SUITE_P(Layers, GradientsTest,
                         testing::Combine(testing::ValuesIn(Cases()),
                                          testing::Bool()),
                         [](const auto& info) {
                           return std::get<0>(info.param).name +
                                  (std::get<1>(info.param) ? "ChannelsLast"
                                                           : "Contiguous");
                         });

}  // namespace
}  // namespace stagecoach

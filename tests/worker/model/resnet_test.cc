#include <torch/csrc/autograd/autograd.h>

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "tests/worker/model/placed_models.h"

// The network of the zoo against ResNet-8 written out in torch's operations.
namespace stagecoach {
namespace {

// Copies of a network's parameters by name, each a tensor of its own.
class Reference {
 public:
  Reference(const Model& model, const Network& network) {
    const auto placed = ParametersOf(model.units);
    for (size_t i = 0; i < placed.size(); ++i) {
      names_.push_back(placed[i].name);
      weights_[placed[i].name] =
          network.parameters()[i].detach().clone().requires_grad_();
    }
  }

  torch::Tensor Logits(const torch::Tensor& images) const {
    torch::Tensor x = ConvNorm(images, "stem.conv", "stem.norm", 1);
    x = Block(at::relu(x), "block1", 1, /*projected=*/false);
    x = Block(x, "block2", 2, /*projected=*/true);
    x = Block(x, "block3", 2, /*projected=*/true);
    return at::linear(x.mean({2, 3}), Weight("head.linear.weight"),
                      Weight("head.linear.bias"));
  }

  std::vector<torch::Tensor> Weights() const {
    std::vector<torch::Tensor> weights;
    for (const std::string& name : names_) weights.push_back(Weight(name));
    return weights;
  }

 private:
  const torch::Tensor& Weight(const std::string& name) const {
    return weights_.at(name);
  }

  torch::Tensor ConvNorm(const torch::Tensor& x, const std::string& conv,
                         const std::string& norm, int64_t stride) const {
    const torch::Tensor& weight = Weight(conv + ".weight");
    const torch::Tensor y =
        at::conv2d(x, weight, {}, stride, /*padding=*/weight.size(2) / 2);
    const torch::Tensor mean = y.mean({0, 2, 3}, /*keepdim=*/true);
    const torch::Tensor variance =
        (y - mean).square().mean({0, 2, 3}, /*keepdim=*/true);
    return (y - mean) / at::sqrt(variance + 1e-5) *
               Weight(norm + ".weight").reshape({1, -1, 1, 1}) +
           Weight(norm + ".bias").reshape({1, -1, 1, 1});
  }

  torch::Tensor Block(const torch::Tensor& x, const std::string& name,
                      int64_t stride, bool projected) const {
    torch::Tensor y =
        at::relu(ConvNorm(x, name + ".conv1", name + ".norm1", stride));
    y = ConvNorm(y, name + ".conv2", name + ".norm2", 1);
    const torch::Tensor side = projected
                                   ? ConvNorm(x, name + ".shortcut.conv",
                                              name + ".shortcut.norm", stride)
                                   : x;
    return at::relu(y + side);
  }

  std::vector<std::string> names_;
  std::map<std::string, torch::Tensor> weights_;
};

class ResnetTest : public testing::TestWithParam<bool> {};

TEST_P(ResnetTest, ComputesLogitsAndGradientsOfTheWrittenOutNetwork) {
  const Model model = PlacedZooModel(
      "resnet", {{"depth", 8}, {"width", 4}, {"classes", 10}}, {3, 12, 12});
  const auto network =
      NetworkOf(model, {.channels_last = GetParam(), .dtype = torch::kFloat64});
  const Reference reference(model, *network);
  const torch::Tensor images =
      at::sin(at::arange(5 * 3 * 12 * 12, torch::kFloat64) * 0.37)
          .reshape({5, 3, 12, 12});
  const torch::Tensor targets = torch::tensor({3, 1, 4, 1, 5});

  const torch::Tensor logits =
      network->Forward(images, ForwardMode::kTrain, nullptr);
  const torch::Tensor expected = reference.Logits(images);
  const auto gradients = torch::autograd::grad(
      {at::cross_entropy_loss(logits, targets)}, network->parameters());
  const auto expected_gradients = torch::autograd::grad(
      {at::cross_entropy_loss(expected, targets)}, reference.Weights());

  EXPECT_TRUE(torch::allclose(logits, expected, 1e-9, 1e-12));
  ASSERT_EQ(gradients.size(), 29u);
  for (size_t i = 0; i < gradients.size(); ++i) {
    EXPECT_TRUE(
        torch::allclose(gradients[i], expected_gradients[i], 1e-8, 1e-11))
        << ParametersOf(model.units)[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(MemoryFormats, ResnetTest, testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "ChannelsLast" : "Contiguous";
                         });

}  // namespace
}  // namespace stagecoach

#include "worker/stage/passes.h"

#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "worker/stage/finite.h"

namespace stagecoach {
namespace {

absl::Status NotFinite(const InFlightItem& item, absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat(what, " of item ", item.item.value(),
                   " is not finite; a smaller learning rate may help"));
}

}  // namespace

void RunWithGraph(Network& network, bool with_input_gradient,
                  InFlightItem& item) {
  const at::AutoGradMode with_graph(true);
  if (with_input_gradient) {
    // Another tensor on the same memory: what was kept stays a plain value.
    item.input = item.input.detach().requires_grad_();
  }
  item.output =
      network.Forward(item.input, ForwardMode::kTrain, &item.statistics);
  if (item.targets.defined()) item.loss = LossOf(item.output, item.targets);
}

Gradients GradientsOf(const Network& network, const InFlightItem& item,
                      const torch::Tensor& of_output) {
  std::vector<torch::Tensor> inputs = network.parameters();
  const bool with_input = item.input.requires_grad();
  if (with_input) inputs.push_back(item.input);
  if (inputs.empty()) return {};
  const bool from_loss = item.loss.mean.defined();
  Gradients gradients;
  gradients.parameters = torch::autograd::grad(
      {from_loss ? item.loss.mean : item.output}, inputs,
      from_loss ? std::vector<torch::Tensor>() : std::vector{of_output},
      /*retain_graph=*/false, /*create_graph=*/false, /*allow_unused=*/true);
  if (with_input) {
    gradients.input = gradients.parameters.back();
    gradients.parameters.pop_back();
  }
  return gradients;
}

absl::Status CheckFinite(const InFlightItem& item, const Gradients& gradients) {
  if (!std::isfinite(item.loss.sum)) return NotFinite(item, "the loss");
  if (!std::all_of(gradients.parameters.begin(), gradients.parameters.end(),
                   AllFinite)) {
    return NotFinite(item, "the gradient");
  }
  if (!AllFinite(gradients.input)) {
    return NotFinite(item, "the gradient for the stage below");
  }
  // A variance can overflow where everything that follows from it is finite.
  if (!std::all_of(item.statistics.begin(), item.statistics.end(),
                   AllNumbers)) {
    return NotFinite(item, "a batch statistic");
  }
  return absl::OkStatus();
}

}  // namespace stagecoach

#pragma once

#include <torch/types.h>

#include <vector>

#include "absl/status/status.h"
#include "worker/model/network.h"
#include "worker/stage/in_flight.h"

namespace stagecoach {

// The two halves of a training pass that torch does.

// What a backward pass gives.
struct Gradients {
  std::vector<torch::Tensor> parameters;  // as network.parameters()
  torch::Tensor input;                    // undefined unless asked for
};

// Runs the item's input through the network and keeps the graph in the item;
// of its targets, if it has any, also the loss. The gradient of the input can
// be had later only `with_input_gradient`.
void RunWithGraph(Network& network, bool with_input_gradient,
                  InFlightItem& item);

// `of_output` is the gradient of the item's output; undefined where the item
// has its loss.
Gradients GradientsOf(const Network& network, const InFlightItem& item,
                      const torch::Tensor& of_output);

// kDataLoss when the loss or a gradient is not finite, or so large that its
// square is not, or when what batch normalisation measured is not finite.
absl::Status CheckFinite(const InFlightItem& item, const Gradients& gradients);

}  // namespace stagecoach

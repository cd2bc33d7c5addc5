#pragma once

#include <torch/types.h>

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/model/layer.h"
#include "core/model/model.h"
#include "worker/model/network.h"

namespace stagecoach {

// A layer with its parameters resolved, for models written by hand. Aborts on
// parameters that the declaration refuses.
LayerSpec LayerOf(absl::string_view name, absl::string_view type,
                  const Value& parameters = Value::object());

LayerSpec ResidualOf(absl::string_view name, std::vector<LayerSpec> body,
                     std::vector<LayerSpec> shortcut = {});

// Aborts where the layers do not fit.
Model PlacedModel(const std::vector<LayerSpec>& units, const Shape& input);
Model PlacedZooModel(absl::string_view name, const Value& parameters,
                     const Shape& input);

// `model` must outlive the network.
std::unique_ptr<Network> NetworkOf(const Model& model,
                                   const NetworkOptions& options = {});

// Writes values into a parameter without the graph's knowledge, in logical
// order.
void SetValues(const torch::Tensor& parameter,
               const std::vector<double>& values);

}  // namespace stagecoach

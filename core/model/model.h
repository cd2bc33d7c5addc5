#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/model/layer.h"

namespace stagecoach {

// A tensor of the model with its place.
struct PlacedTensor {
  std::string name;  // full: "block1.conv1.weight"
  Shape shape;
  Initialisation initialisation;
  int64_t offset = 0;  // parameters: elements before it in the whole model

  int64_t elements() const { return ElementsOf(shape); }
};

// A layer with shapes inferred and its tensors placed in the whole model. A
// unit is a layer between which stages may be cut.
struct PlacedLayer {
  std::string name;  // full: "block1.conv1"
  std::string type;
  Value parameters_of_type = Value::object();
  Shape input;  // of one sample
  Shape output;
  std::vector<PlacedTensor> parameters;
  std::vector<PlacedTensor> buffers;
  LayerCost cost;  // of this layer and those inside, one sample
  std::vector<PlacedLayer> body = {};
  std::vector<PlacedLayer> shortcut = {};
};

// A whole network. A value.
struct Model {
  std::vector<PlacedLayer> units;

  const Shape& input() const { return units.front().input; }
  const Shape& output() const { return units.back().output; }
};

// Infers the shapes from `input` (of one sample) and places the parameters.
// kInvalidArgument says between which layers shapes do not fit, and both
// shapes.
absl::StatusOr<Model> PlaceModel(const std::vector<LayerSpec>& units,
                                 const Shape& input);

// The parameters of some units in model order.
std::vector<PlacedTensor> ParametersOf(absl::Span<const PlacedLayer> units);

// Parameters and buffers in digest order: per layer its parameters, then its
// buffers. The pointers are into `units`.
struct NamedTensor {
  const PlacedTensor* tensor;
  bool is_buffer;
};
std::vector<NamedTensor> TensorsOf(absl::Span<const PlacedLayer> units);

// Whether some layer, however deep, is of this type.
bool HasLayer(absl::Span<const PlacedLayer> units, absl::string_view type);

}  // namespace stagecoach

#include "core/model/model.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/base/suggest.h"

namespace stagecoach {
namespace {

// Above this the numbering of the elements could overflow; no machine holds it.
constexpr int64_t kMostParameters = int64_t{1} << 40;

std::string Join(absl::string_view prefix, absl::string_view name) {
  if (prefix.empty()) return std::string(name);
  if (name.empty()) return std::string(prefix);
  return absl::StrCat(prefix, ".", name);
}

// Carries the running offset and the layer before through the model.
class Placer {
 public:
  absl::StatusOr<std::vector<PlacedLayer>> PlaceAll(
      const std::vector<LayerSpec>& specs, absl::string_view prefix,
      Shape input) {
    std::vector<PlacedLayer> layers;
    for (const LayerSpec& spec : specs) {
      SC_ASSIGN_OR_RETURN(PlacedLayer layer, Place(spec, prefix, input));
      input = layer.output;
      layers.push_back(std::move(layer));
    }
    return layers;
  }

 private:
  absl::StatusOr<PlacedLayer> Place(const LayerSpec& spec,
                                    absl::string_view prefix,
                                    const Shape& input) {
    const LayerType* const* type = LayerTypes().Find(spec.type);
    if (type == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("no layer is called '", spec.type, "'",
                       Suggestion(spec.type, LayerTypes().Names())));
    }
    PlacedLayer layer = {.name = Join(prefix, spec.name),
                         .type = spec.type,
                         .parameters_of_type = spec.parameters,
                         .input = input,
                         .output = input};
    if (spec.type == "sequence" || spec.type == "residual") {
      SC_RETURN_IF_ERROR(PlaceInside(spec, &layer));
    } else {
      SC_RETURN_IF_ERROR(PlaceTensors(**type, &layer));
    }
    if (spec.type == "residual") {
      layer.cost += (*type)->Cost(spec.parameters, layer.output);
    }
    return layer;
  }

  absl::Status PlaceInside(const LayerSpec& spec, PlacedLayer* layer) {
    SC_ASSIGN_OR_RETURN(layer->body,
                        PlaceAll(spec.body, layer->name, layer->input));
    if (!layer->body.empty()) layer->output = layer->body.back().output;
    SC_ASSIGN_OR_RETURN(
        layer->shortcut,
        PlaceAll(spec.shortcut, Join(layer->name, "shortcut"), layer->input));
    for (const PlacedLayer& inner : layer->body) layer->cost += inner.cost;
    for (const PlacedLayer& inner : layer->shortcut) layer->cost += inner.cost;
    if (spec.type != "residual") return absl::OkStatus();
    const Shape& shortcut =
        layer->shortcut.empty() ? layer->input : layer->shortcut.back().output;
    if (shortcut == layer->output) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("'", layer->name, "' adds ", ToString(layer->output),
                     " from its body and ", ToString(shortcut),
                     " from its shortcut; both must have the same shape"));
  }

  absl::Status PlaceTensors(const LayerType& type, PlacedLayer* layer) {
    const Value& parameters = layer->parameters_of_type;
    absl::StatusOr<Shape> output = type.OutputShape(parameters, layer->input);
    if (!output.ok()) return Misfit(*layer, output.status());
    layer->output = *std::move(output);
    layer->cost = type.Cost(parameters, layer->input);
    for (TensorDeclaration& tensor :
         type.Parameters(parameters, layer->input)) {
      layer->parameters.push_back(Named(std::move(tensor), *layer, offset_));
      offset_ += layer->parameters.back().elements();
      if (offset_ > kMostParameters) {
        return absl::InvalidArgumentError(
            absl::StrCat("'", layer->name, "' brings the model above ",
                         kMostParameters, " parameters; make it smaller"));
      }
    }
    for (TensorDeclaration& tensor : type.Buffers(parameters, layer->input)) {
      layer->buffers.push_back(Named(std::move(tensor), *layer, 0));
    }
    before_ = layer->name;
    return absl::OkStatus();
  }

  static PlacedTensor Named(TensorDeclaration tensor, const PlacedLayer& layer,
                            int64_t offset) {
    return {.name = Join(layer.name, tensor.name),
            .shape = std::move(tensor.shape),
            .initialisation = tensor.initialisation,
            .offset = offset};
  }

  // The layer's own complaint, with its place in the model.
  absl::Status Misfit(const PlacedLayer& layer,
                      const absl::Status& status) const {
    const std::string field = FieldOf(status);
    return absl::InvalidArgumentError(absl::StrCat(
        "'", layer.name, "' (", layer.type, ") does not fit after ",
        before_.empty() ? "the data" : absl::StrCat("'", before_, "'"),
        ", which gives ", ToString(layer.input), ": ",
        field.empty() ? "it " : absl::StrCat(field, " "), status.message()));
  }

  int64_t offset_ = 0;
  std::string before_;
};

template <typename Visit>
void ForEachLayer(absl::Span<const PlacedLayer> layers, const Visit& visit) {
  for (const PlacedLayer& layer : layers) {
    visit(layer);
    ForEachLayer(layer.body, visit);
    ForEachLayer(layer.shortcut, visit);
  }
}

}  // namespace

absl::StatusOr<Model> PlaceModel(const std::vector<LayerSpec>& units,
                                 const Shape& input) {
  if (units.empty()) {
    return absl::InvalidArgumentError("the model has no layers");
  }
  SC_ASSIGN_OR_RETURN(std::vector<PlacedLayer> placed,
                      Placer().PlaceAll(units, "", input));
  return Model{.units = std::move(placed)};
}

std::vector<PlacedTensor> ParametersOf(absl::Span<const PlacedLayer> units) {
  std::vector<PlacedTensor> tensors;
  ForEachLayer(units, [&tensors](const PlacedLayer& layer) {
    tensors.insert(tensors.end(), layer.parameters.begin(),
                   layer.parameters.end());
  });
  return tensors;
}

std::vector<NamedTensor> TensorsOf(absl::Span<const PlacedLayer> units) {
  std::vector<NamedTensor> tensors;
  ForEachLayer(units, [&tensors](const PlacedLayer& layer) {
    for (const PlacedTensor& tensor : layer.parameters) {
      tensors.push_back({.tensor = &tensor, .is_buffer = false});
    }
    for (const PlacedTensor& tensor : layer.buffers) {
      tensors.push_back({.tensor = &tensor, .is_buffer = true});
    }
  });
  return tensors;
}

bool HasLayer(absl::Span<const PlacedLayer> units, absl::string_view type) {
  bool found = false;
  ForEachLayer(units, [&](const PlacedLayer& layer) {
    found = found || layer.type == type;
  });
  return found;
}

}  // namespace stagecoach

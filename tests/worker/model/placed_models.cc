#include "tests/worker/model/placed_models.h"

#include <utility>

#include "core/base/check.h"
#include "core/model/zoo.h"

namespace stagecoach {
namespace {

template <typename T>
T Checked(absl::StatusOr<T> result) {
  SC_CHECK(result.ok(), result.status().ToString());
  return *std::move(result);
}

}  // namespace

LayerSpec LayerOf(absl::string_view name, absl::string_view type,
                  const Value& parameters) {
  const LayerType* const* found = LayerTypes().Find(type);
  SC_CHECK(found != nullptr, type);
  return {.name = std::string(name),
          .type = std::string(type),
          .parameters = Checked(Resolve((*found)->declaration(), parameters))};
}

LayerSpec ResidualOf(absl::string_view name, std::vector<LayerSpec> body,
                     std::vector<LayerSpec> shortcut) {
  return {.name = std::string(name),
          .type = "residual",
          .body = std::move(body),
          .shortcut = std::move(shortcut)};
}

Model PlacedModel(const std::vector<LayerSpec>& units, const Shape& input) {
  return Checked(PlaceModel(units, input));
}

Model PlacedZooModel(absl::string_view name, const Value& parameters,
                     const Shape& input) {
  const ZooModel& zoo = **ZooModels().Find(name);
  const Value resolved = Checked(Resolve(zoo.declaration(), parameters));
  return PlacedModel(Checked(zoo.Units(resolved, input)), input);
}

std::unique_ptr<Network> NetworkOf(const Model& model,
                                   const NetworkOptions& options) {
  return Checked(Network::Create(model.units, options));
}

void SetValues(const torch::Tensor& parameter,
               const std::vector<double>& values) {
  const at::NoGradGuard no_graph;
  parameter.copy_(
      torch::tensor(values, torch::kFloat64).reshape(parameter.sizes()));
}

}  // namespace stagecoach

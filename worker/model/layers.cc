#include "worker/model/layers.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/status_macros.h"
#include "worker/model/layers/average_pool.h"
#include "worker/model/layers/batch_norm.h"
#include "worker/model/layers/conv.h"
#include "worker/model/layers/flatten.h"
#include "worker/model/layers/linear.h"
#include "worker/model/layers/relu.h"
#include "worker/model/layers/residual.h"
#include "worker/model/layers/sequence.h"

namespace stagecoach {

const NamedTable<MakeLayer>& LayerMakers() {
  static const auto& table = *new NamedTable<MakeLayer>({
      {"average_pool", &MakeAveragePool},
      {"batch_norm", &MakeBatchNorm},
      {"conv", &MakeConv},
      {"flatten", &MakeFlatten},
      {"linear", &MakeLinear},
      {"relu", &MakeRelu},
      {"residual", &MakeResidual},
      {"sequence", &MakeSequence},
  });
  return table;
}

absl::Status CheckLayers(absl::Span<const PlacedLayer> layers) {
  for (const PlacedLayer& layer : layers) {
    if (LayerMakers().Find(layer.type) == nullptr) {
      return absl::UnimplementedError(absl::StrCat(
          "layer ", layer.name, ": this worker has no '", layer.type,
          "'; it has ", absl::StrJoin(LayerMakers().Names(), ", ")));
    }
    SC_RETURN_IF_ERROR(CheckLayers(layer.body));
    SC_RETURN_IF_ERROR(CheckLayers(layer.shortcut));
  }
  return absl::OkStatus();
}

LayerChain::LayerChain(absl::Span<const PlacedLayer> layers,
                       const NetworkTensors& tensors) {
  for (const PlacedLayer& layer : layers) {
    layers_.push_back((*LayerMakers().Find(layer.type))(layer, tensors));
  }
}

Activation LayerChain::Forward(Activation input,
                               const ForwardPass& pass) const {
  for (const auto& layer : layers_) {
    input = layer->Forward(std::move(input), pass);
  }
  return input;
}

}  // namespace stagecoach

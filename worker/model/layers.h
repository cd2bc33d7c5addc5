#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "core/base/named_table.h"
#include "core/model/model.h"
#include "worker/model/layer.h"
#include "worker/model/tensors.h"

namespace stagecoach {

using MakeLayer = std::unique_ptr<Layer> (*)(const PlacedLayer& layer,
                                             const NetworkTensors& tensors);

// By the names of core/model.
const NamedTable<MakeLayer>& LayerMakers();

// kUnimplemented when some layer, however deep, is not in LayerMakers().
absl::Status CheckLayers(absl::Span<const PlacedLayer> layers);

// Layers that follow one another. CheckLayers() has passed.
class LayerChain {
 public:
  LayerChain(absl::Span<const PlacedLayer> layers,
             const NetworkTensors& tensors);

  bool empty() const { return layers_.empty(); }

  Activation Forward(Activation input, const ForwardPass& pass) const;

 private:
  std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace stagecoach

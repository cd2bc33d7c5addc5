#include "core/model/layer.h"

#include "core/model/layers/average_pool.h"
#include "core/model/layers/batch_norm.h"
#include "core/model/layers/conv.h"
#include "core/model/layers/flatten.h"
#include "core/model/layers/linear.h"
#include "core/model/layers/relu.h"
#include "core/model/layers/residual.h"
#include "core/model/layers/sequence.h"

namespace stagecoach {

LayerCost& LayerCost::operator+=(const LayerCost& other) {
  forward_flops += other.forward_flops;
  backward_flops += other.backward_flops;
  memory_bytes += other.memory_bytes;
  return *this;
}

const NamedTable<const LayerType*>& LayerTypes() {
  static const auto& table = *new NamedTable<const LayerType*>{
      {"average_pool", &AveragePoolLayer()},
      {"batch_norm", &BatchNormLayer()},
      {"conv", &ConvLayer()},
      {"flatten", &FlattenLayer()},
      {"linear", &LinearLayer()},
      {"relu", &ReluLayer()},
      {"residual", &ResidualLayer()},
      {"sequence", &SequenceLayer()},
  };
  return table;
}

}  // namespace stagecoach

#include "worker/optimizer/optimizer.h"

#include "worker/optimizer/sgd.h"

namespace stagecoach {

const NamedTable<MakeOptimizer>& OptimizerMakers() {
  static const auto& table =
      *new NamedTable<MakeOptimizer>({{"sgd", &MakeSgd}});
  return table;
}

}  // namespace stagecoach

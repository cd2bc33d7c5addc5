#include "core/model/zoo.h"

#include "core/model/zoo/mlp.h"
#include "core/model/zoo/resnet.h"

namespace stagecoach {

const NamedTable<const ZooModel*>& ZooModels() {
  static const auto& table = *new NamedTable<const ZooModel*>{
      {"resnet", &ResnetModel()},
      {"mlp", &MlpModel()},
  };
  return table;
}

}  // namespace stagecoach

#include "core/data/data_source.h"

#include "core/data/fashion_mnist.h"
#include "core/data/idx_files.h"

namespace stagecoach {

const NamedTable<const DataSourceType*>& DataSources() {
  static const auto& table = *new NamedTable<const DataSourceType*>{
      {"fashion_mnist", &FashionMnistSource()},
      {"idx", &IdxFilesSource()},
  };
  return table;
}

}  // namespace stagecoach

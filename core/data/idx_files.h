#pragma once

#include "core/data/data_source.h"

namespace stagecoach {

// Four files in the IDX format of MNIST, of any image size and number of
// classes (`idx`). The names of the files are MNIST's unless given.
const DataSourceType& IdxFilesSource();

}  // namespace stagecoach

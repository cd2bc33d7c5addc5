#include "core/partition/uniform.h"

namespace stagecoach {
namespace {

Cuts Cut(const Model& model, const std::vector<StageMethod>& stages) {
  const auto units = static_cast<int64_t>(model.units.size());
  const auto count = static_cast<int64_t>(stages.size());
  Cuts cuts;
  for (int64_t k = 1; k < count; ++k) cuts.push_back(k * units / count);
  return cuts;
}

}  // namespace

Partitioner UniformPartitioner() {
  return {.declaration = {.name = "uniform",
                          .help = "Equal numbers of units",
                          .parameters = {}},
          .cut = Cut};
}

}  // namespace stagecoach

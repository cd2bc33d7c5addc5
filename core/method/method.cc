#include "core/method/method.h"

#include "core/method/bp.h"
#include "core/method/dsp.h"

namespace stagecoach {

int64_t LinkItems(const std::vector<StageMethod>& stages, int lower) {
  const auto k = static_cast<size_t>(lower);
  return stages.at(k).window - stages.at(k + 1).window + 1;
}

const NamedTable<const Method*>& Methods() {
  static const auto& table = *new NamedTable<const Method*>{
      {"dsp", &DspMethod()},
      {"bp", &BpMethod()},
  };
  return table;
}

}  // namespace stagecoach

#include "worker/update/update_rule.h"

#include "worker/update/immediate.h"

namespace stagecoach {

const NamedTable<MakeUpdateRule>& UpdateRules() {
  static const auto& table = *new NamedTable<MakeUpdateRule>({
      {"bp", &MakeImmediate},
      {"dsp", &MakeImmediate},
  });
  return table;
}

}  // namespace stagecoach

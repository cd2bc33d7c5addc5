#pragma once

#include <memory>

#include "core/job/value.h"
#include "worker/update/update_rule.h"

namespace stagecoach {

// Every pass reads the live weights, every gradient steps them at once: `bp`,
// and `dsp`, whose staleness comes from the schedule alone
// (docs/definitions.md, section 8).
std::unique_ptr<UpdateRule> MakeImmediate(const Value& parameters,
                                          std::unique_ptr<Network> network,
                                          std::unique_ptr<Optimizer> optimizer);

}  // namespace stagecoach

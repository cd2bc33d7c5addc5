#pragma once

#include "absl/strings/string_view.h"
#include "core/metrics/metrics.h"

namespace stagecoach {

// The rules for names (metrics.h). Empty when they are kept, else what is
// wrong.
std::string NameFault(absl::string_view name, bool is_counter,
                      const Labels& labels);

}  // namespace stagecoach

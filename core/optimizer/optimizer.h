#pragma once

#include "core/base/named_table.h"
#include "core/job/declaration.h"

namespace stagecoach {

// What optimizers are, as users see them; what they compute is in
// worker/optimizer and docs/definitions.md, section 7.
const NamedTable<Declaration>& Optimizers();

// Checks what spans parameters (nesterov and sum exclude each other, both need
// momentum). `parameters` are resolved. FieldError.
absl::Status CheckOptimizer(const Choice& optimizer);

}  // namespace stagecoach

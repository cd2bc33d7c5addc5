#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace stagecoach {

// Runs `body` and turns what LibTorch throws into a status; what `body` returns
// passes through. The only place where exceptions are caught.
//   kResourceExhausted: out of memory.
//   kUnknown: torch refused; the first line of its message.
absl::Status GuardTorch(absl::FunctionRef<absl::Status()> body);

}  // namespace stagecoach

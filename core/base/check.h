#pragma once

#include "absl/strings/string_view.h"

namespace stagecoach {

// Prints the broken invariant with its place and a symbolised stack, then
// aborts. Called by SC_CHECK only.
[[noreturn]] void FailCheck(absl::string_view condition, absl::string_view why,
                            const char* file, int line);

}  // namespace stagecoach

// Ends the process when an invariant of our own is broken. Never for input,
// never for what a peer or the network can cause: those are absl::Status.
#define SC_CHECK(condition, why)                                      \
  do {                                                                \
    if (!(condition)) {                                               \
      ::stagecoach::FailCheck(#condition, (why), __FILE__, __LINE__); \
    }                                                                 \
  } while (false)

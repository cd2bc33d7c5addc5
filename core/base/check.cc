#include "core/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace stagecoach {

void FailCheck(absl::string_view condition, absl::string_view why,
               const char* file, int line) {
  std::fprintf(stderr, "%s:%d: broken invariant `%.*s`: %.*s\n", file, line,
               static_cast<int>(condition.size()), condition.data(),
               static_cast<int>(why.size()), why.data());
  std::abort();  // Abseil's failure handler prints the stack.
}

}  // namespace stagecoach

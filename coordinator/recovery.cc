#include "coordinator/recovery.h"

#include "absl/strings/str_cat.h"

namespace stagecoach {

bool WorthAnotherTry(const Cause& cause) {
  return cause.kind == "worker_lost" || cause.kind == "link_lost";
}

std::optional<Cause> FinalCause(const Cause& cause, int64_t recoveries) {
  if (!WorthAnotherTry(cause)) return cause;
  if (recoveries < kMaxRecoveries) return std::nullopt;
  Cause last = cause;
  absl::StrAppend(&last.text, "; given up after ", recoveries, " recoveries");
  return last;
}

}  // namespace stagecoach

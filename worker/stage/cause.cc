#include "worker/stage/cause.h"

#include <string>

namespace stagecoach {
namespace {

std::string KindOf(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kUnavailable:
      return "link_lost";
    case absl::StatusCode::kDataLoss:
      return "non_finite";
    case absl::StatusCode::kInternal:
      return "contract";
    case absl::StatusCode::kUnknown:
      return "torch";
    case absl::StatusCode::kResourceExhausted:
      return "memory";
    case absl::StatusCode::kInvalidArgument:
      return "invalid";
    case absl::StatusCode::kCancelled:
      return "cancelled";
    default:
      return "internal";
  }
}

}  // namespace

Cause CauseOf(const absl::Status& error, StageIndex stage, int64_t version) {
  // Updates go through the items in their order, one for each.
  return {.kind = KindOf(error.code()),
          .stage = stage.value(),
          .step = version,
          .item = version,
          .text = std::string(error.message())};
}

}  // namespace stagecoach

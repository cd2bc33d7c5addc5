#include "worker/stage/stage.h"

namespace stagecoach {

absl::string_view NameOf(Pass pass) {
  switch (pass) {
    case Pass::kForward:
      return "forward";
    case Pass::kRecompute:
      return "recompute";
    case Pass::kBackward:
      return "backward";
    case Pass::kUpdate:
      return "update";
    case Pass::kEvaluate:
      return "evaluate";
    case Pass::kData:
      return "data";
  }
  return "unknown";
}

absl::string_view NameOf(WaitReason reason) {
  switch (reason) {
    case WaitReason::kNone:
      return "";
    case WaitReason::kInput:
      return "input";
    case WaitReason::kGradient:
      return "gradient";
    case WaitReason::kCredit:
      return "credit";
  }
  return "unknown";
}

}  // namespace stagecoach

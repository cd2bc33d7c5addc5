#include "client/exit_code.h"

namespace stagecoach {

int ExitCodeOf(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kOk:
      return kExitDone;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kAlreadyExists:
      return kExitUsage;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnimplemented:  // it is no coordinator
      return kExitUnreachable;
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
      return kExitNotPermitted;
    case absl::StatusCode::kNotFound:
      return kExitNoSuchJob;
    case absl::StatusCode::kCancelled:
      return kExitInterrupted;
    default:
      return kExitJobFailed;
  }
}

int ExitCodeOf(JobState state) {
  return state == JobState::kSucceeded ? kExitDone : kExitJobFailed;
}

}  // namespace stagecoach

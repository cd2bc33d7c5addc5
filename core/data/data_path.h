#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace stagecoach {

// Where `path` of a job file lies: from `root` on unless it is absolute; from
// the current folder on where `root` is empty. With `confined`, symbolic links
// followed, kPermissionDenied when that is outside `root`.
absl::StatusOr<std::string> DataPath(const std::string& path,
                                     const std::string& root, bool confined);

}  // namespace stagecoach

#pragma once

#include <filesystem>
#include <string>

#include "absl/status/statusor.h"

namespace stagecoach {

// A new, numbered folder for one local run, under $XDG_STATE_HOME/stagecoach or
// ~/.local/state/stagecoach. kInvalidArgument when none can be made.
absl::StatusOr<std::filesystem::path> NewStateFolder();

}  // namespace stagecoach

#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace stagecoach {

// Which build this program is. One job runs on workers of one build: bits are
// promised to be equal only for equal code from an equal compiler.
//
// Immutable.
struct BuildInfo {
  absl::string_view version;     // semantic, such as "0.1.0"
  absl::string_view revision;    // of git, "-dirty" with changes, or "unknown"
  absl::string_view compiler;    // such as "GNU 12.2.0"
  absl::string_view build_type;  // such as "Release"
  absl::string_view flags;       // of the build type
};

BuildInfo GetBuildInfo();

// Version, revision, compiler and flags in one line: what run records keep, and
// what workers of one job must have in common.
std::string BuildId();

}  // namespace stagecoach

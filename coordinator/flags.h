#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace stagecoach {

// What a coordinator process is told. Each flag is also an environment variable
// and a key of the file of --config: core/flags/flags.h.
struct CoordinatorFlags {
  std::string listen = "127.0.0.1";
  int port = 7070;
  int metrics_port = 9070;
  std::string port_file;
  std::string state;  // the user's own folder unless given
  int lease_seconds = 10;
  int grace_seconds = 2;
  int drain_seconds = 10;
  std::string log_level = "info";
  int watch_parent_fd = -1;
};

struct ParsedCoordinatorFlags {
  CoordinatorFlags flags;
  std::optional<int> exit_code;  // given: there is nothing more to do
};

// Parses the arguments (without the program's name); prints help and version
// to stdout. kInvalidArgument, on one line, for what cannot be.
absl::StatusOr<ParsedCoordinatorFlags> ParseCoordinatorFlags(
    const std::vector<std::string>& arguments, const std::string& version);

}  // namespace stagecoach

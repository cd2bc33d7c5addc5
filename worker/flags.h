#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stagecoach {

// What a worker process is told. Each flag is also an environment variable and
// a key of the file of --config: core/flags/flags.h.
struct WorkerFlags {
  std::string coordinator = "127.0.0.1:7070";
  std::string name;  // the host's unless given
  std::string listen = "127.0.0.1";
  int port = 7071;
  std::string advertise;  // "host:port"; where it listens unless given
  int metrics_port = 9071;
  int slots = 1;
  std::string device = "auto";
  int64_t memory_limit = 0;  // bytes; 0: found out
  std::string data_root;
  std::string port_file;
  int drain_seconds = 10;
  std::string log_level = "info";
  int watch_parent_fd = -1;

  bool on_loopback() const;
};

struct ParsedWorkerFlags {
  WorkerFlags flags;
  std::optional<int> exit_code;  // given: there is nothing more to do
};

// Parses the arguments (without the program's name); prints help and version
// to stdout. kInvalidArgument, on one line, for what cannot be.
absl::StatusOr<ParsedWorkerFlags> ParseWorkerFlags(
    const std::vector<std::string>& arguments, const std::string& version);

}  // namespace stagecoach

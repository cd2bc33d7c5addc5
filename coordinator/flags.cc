#include "coordinator/flags.h"

#include "core/base/status_macros.h"
#include "core/flags/flags.h"
#include "core/process/state_home.h"

namespace stagecoach {
namespace {

constexpr int kMaxPort = 65535;
constexpr int kDay = 86400;  // seconds

void DeclarePlace(CLI::App& app, CoordinatorFlags& flags) {
  AddFlag(app, "listen", flags.listen,
          "Address to listen on for clients and workers");
  AddFlag(app, "port", flags.port,
          "Port for clients and workers; 0 takes a free one")
      ->check(CLI::Range(0, kMaxPort));
  AddFlag(app, "metrics-port", flags.metrics_port,
          "Port for /metrics, /healthz and /readyz; 0 takes a free one")
      ->check(CLI::Range(0, kMaxPort));
  AddFlag(app, "port-file", flags.port_file,
          "File to write the port for clients and workers to");
  AddFlag(app, "state", flags.state,
          "Folder that jobs are kept in, on a local disk or a block volume")
      ->type_name("DIR");
}

void DeclareWork(CLI::App& app, CoordinatorFlags& flags) {
  AddFlag(app, "lease-seconds", flags.lease_seconds,
          "How long a worker may be silent before it is taken for lost")
      ->check(CLI::Range(2, 3600));
  AddFlag(app, "grace-seconds", flags.grace_seconds,
          "How long a worker may take to return when its connection broke")
      ->check(CLI::Range(0, 3600));
  AddFlag(app, "drain-seconds", flags.drain_seconds,
          "How long storing what is left and ending calls may take after "
          "SIGTERM")
      ->check(CLI::Range(0, kDay));
  AddLogLevelFlag(app, flags.log_level);
  AddParentFlag(app, flags.watch_parent_fd);
}

}  // namespace

absl::StatusOr<ParsedCoordinatorFlags> ParseCoordinatorFlags(
    const std::vector<std::string>& arguments, const std::string& version) {
  ParsedCoordinatorFlags parsed;
  parsed.flags.state = StateHome() + "/coordinator";
  CLI::App app("Takes training jobs and has workers run them",
               "stagecoach-coordinator");
  app.set_version_flag("--version", version);
  DeclarePlace(app, parsed.flags);
  DeclareWork(app, parsed.flags);
  SC_ASSIGN_OR_RETURN(parsed.exit_code, ParseFlags(app, arguments));
  return parsed;
}

}  // namespace stagecoach

#include "worker/flags.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "core/base/user_text.h"
#include "core/flags/flags.h"

namespace stagecoach {
namespace {

std::string HostName() {
  std::array<char, 256> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data()
                                                        : "worker";
}

void DeclarePlace(CLI::App& app, WorkerFlags& flags) {
  AddFlag(app, "coordinator", flags.coordinator,
          "Where the coordinator listens")
      ->type_name("HOST:PORT")
      ->check(&HostPortError);
  AddFlag(app, "name", flags.name, "This worker's name in the cluster")
      ->check(&WorkerNameError);
  AddFlag(app, "listen", flags.listen, "Address to listen on for data links");
  AddFlag(app, "port", flags.port, "Port for data links; 0 takes a free one")
      ->check(CLI::Range(0, 65535));
  AddFlag(app, "advertise", flags.advertise,
          "Where other workers reach it, if not where it listens")
      ->type_name("HOST:PORT")
      ->check(&HostPortError);
  AddFlag(app, "metrics-port", flags.metrics_port,
          "Port for /metrics, /healthz and /readyz; 0 takes a free one")
      ->check(CLI::Range(0, 65535));
  AddFlag(app, "port-file", flags.port_file,
          "File to write the port of the data links to");
}

void DeclareWork(CLI::App& app, WorkerFlags& flags) {
  AddFlag(app, "slots", flags.slots, "Stages that it runs at once")
      ->check(CLI::Range(1, 64));
  AddFlag(app, "device", flags.device, "Where it computes")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  AddFlag(
      app, "memory-limit", flags.memory_limit,
      "Memory for stages, such as 8GiB; nine tenths of the machine's or the "
      "container's unless given")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true));
  AddFlag(app, "data-root", flags.data_root,
          "Folder that relative data paths start at; beyond loopback nothing "
          "outside it is read")
      ->type_name("DIR");
  AddFlag(app, "drain-seconds", flags.drain_seconds,
          "How long running stages may go on after SIGTERM")
      ->check(CLI::Range(0, 86400));
  AddLogLevelFlag(app, flags.log_level);
  AddParentFlag(app, flags.watch_parent_fd);
}

absl::Status Check(const WorkerFlags& flags) {
  if (flags.memory_limit < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("--memory-limit: must be at least 0, not ",
                     flags.memory_limit, "; e.g. 8GiB"));
  }
  std::error_code ignored;
  if (!flags.data_root.empty() &&
      !std::filesystem::is_directory(flags.data_root, ignored)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--data-root: there is no folder ", flags.data_root, " here"));
  }
  if (flags.on_loopback() || !flags.data_root.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--listen ", flags.listen, " is beyond loopback: name the ",
                   "only folder that jobs may read with --data-root DIR"));
}

}  // namespace

bool WorkerFlags::on_loopback() const { return IsLoopback(listen); }

absl::StatusOr<ParsedWorkerFlags> ParseWorkerFlags(
    const std::vector<std::string>& arguments, const std::string& version) {
  ParsedWorkerFlags parsed;
  parsed.flags.name = HostName();
  CLI::App app("Runs stages of training jobs for a coordinator",
               "stagecoach-worker");
  app.set_version_flag("--version", version);
  DeclarePlace(app, parsed.flags);
  DeclareWork(app, parsed.flags);
  SC_ASSIGN_OR_RETURN(parsed.exit_code, ParseFlags(app, arguments));
  if (!parsed.exit_code.has_value()) SC_RETURN_IF_ERROR(Check(parsed.flags));
  return parsed;
}

}  // namespace stagecoach

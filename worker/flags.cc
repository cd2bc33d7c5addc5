#include "worker/flags.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <iostream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"
#include "core/base/suggest.h"

namespace stagecoach {
namespace {

std::string HostName() {
  std::array<char, 256> name = {};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data()
                                                        : "worker";
}

std::string VariableOf(std::string flag) {
  std::transform(flag.begin(), flag.end(), flag.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  return absl::StrCat("STAGECOACH_", flag);
}

template <typename T>
CLI::Option* Add(CLI::App& app, const std::string& flag, T& value,
                 const std::string& help) {
  return app.add_option(absl::StrCat("--", flag), value, help)
      ->envname(VariableOf(flag))
      ->capture_default_str();
}

void DeclarePlace(CLI::App& app, WorkerFlags& flags) {
  Add(app, "coordinator", flags.coordinator, "Where the coordinator listens")
      ->type_name("HOST:PORT");
  Add(app, "name", flags.name, "This worker's name in the cluster");
  Add(app, "listen", flags.listen, "Address to listen on for data links");
  Add(app, "port", flags.port, "Port for data links; 0 takes a free one")
      ->check(CLI::Range(0, 65535));
  Add(app, "advertise", flags.advertise,
      "Where other workers reach it, if not where it listens")
      ->type_name("HOST:PORT");
  Add(app, "metrics-port", flags.metrics_port,
      "Port for /metrics, /healthz and /readyz; 0 takes a free one")
      ->check(CLI::Range(0, 65535));
  Add(app, "port-file", flags.port_file,
      "File to write the port of the data links to");
}

void DeclareWork(CLI::App& app, WorkerFlags& flags) {
  Add(app, "slots", flags.slots, "Stages that it runs at once")
      ->check(CLI::Range(1, 64));
  Add(app, "device", flags.device, "Where it computes")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  Add(app, "memory-limit", flags.memory_limit,
      "Memory for stages, such as 8GiB; nine tenths of the machine's or the "
      "container's unless given")
      ->transform(CLI::AsSizeValue(/*kb_is_1000=*/true));
  Add(app, "data-root", flags.data_root,
      "Folder that relative data paths start at; beyond loopback nothing "
      "outside it is read");
  Add(app, "drain-seconds", flags.drain_seconds,
      "How long running stages may go on after SIGTERM")
      ->check(CLI::Range(0, 86400));
  Add(app, "log-level", flags.log_level, "Least that is logged")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
  app.add_option("--watch-parent-fd", flags.watch_parent_fd)->group("");
}

std::string MessageOf(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return error.what();
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) known.push_back(option->get_name());
  }
  const std::string flag = extras.front().substr(0, extras.front().find('='));
  return absl::StrCat("there is no flag ", flag, Suggestion(flag, known));
}

absl::Status Check(const WorkerFlags& flags) {
  if (flags.on_loopback() || !flags.data_root.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--listen ", flags.listen, " is beyond loopback: name the ",
                   "only folder that jobs may read with --data-root DIR"));
}

}  // namespace

bool WorkerFlags::on_loopback() const {
  return absl::StartsWith(listen, "127.") || listen == "::1" ||
         listen == "localhost";
}

absl::StatusOr<ParsedWorkerFlags> ParseWorkerFlags(
    const std::vector<std::string>& arguments, const std::string& version) {
  ParsedWorkerFlags parsed;
  parsed.flags.name = HostName();
  CLI::App app("Runs stages of training jobs for a coordinator",
               "stagecoach-worker");
  app.set_version_flag("--version", version);
  DeclarePlace(app, parsed.flags);
  DeclareWork(app, parsed.flags);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    parsed.exit_code = 0;
    return parsed;
  } catch (const CLI::CallForVersion& text) {
    std::cout << text.what() << std::endl;
    parsed.exit_code = 0;
    return parsed;
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(MessageOf(app, error));
  }
  SC_RETURN_IF_ERROR(Check(parsed.flags));
  return parsed;
}

}  // namespace stagecoach

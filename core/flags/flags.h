#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace stagecoach {

// Flags of our daemons. Each flag `--data-root` is also the environment
// variable STAGECOACH_DATA_ROOT, which the flag overrides, and the key
// `data-root` of the file of --config, which both override.

std::string VariableOf(const std::string& flag);

// Declares `--<flag>`; what `value` holds is the default, and help shows it.
template <typename T>
CLI::Option* AddFlag(CLI::App& app, const std::string& flag, T& value,
                     const std::string& help) {
  return app.add_option("--" + flag, value, help)
      ->envname(VariableOf(flag))
      ->capture_default_str();
}

// "debug", "info", "warning" or "error".
CLI::Option* AddLogLevelFlag(CLI::App& app, std::string& value);

// A descriptor to watch for the end of the parent process; not shown in help.
CLI::Option* AddParentFlag(CLI::App& app, int& value);

// Whether only this machine reaches what listens on the address.
bool IsLoopback(const std::string& listen);

// Parses the arguments (without the program's name) into the values that were
// declared. Returns an exit code when there is nothing more to do: help or the
// version was printed to stdout. kInvalidArgument, on one line, for what cannot
// be; a misspelt flag gets a suggestion.
absl::StatusOr<std::optional<int>> ParseFlags(
    CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace stagecoach

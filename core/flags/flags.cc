#include "core/flags/flags.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/base/suggest.h"
#include "core/flags/config_file.h"

namespace stagecoach {
namespace {

std::string MessageOf(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> extras = app.remaining();
  if (extras.empty()) return error.what();
  const std::string flag = extras.front().substr(0, extras.front().find('='));
  return absl::StrCat("there is no flag ", flag,
                      Suggestion(flag, ShownFlags(app)));
}

// One from the environment must exist too.
void AddConfigFlag(CLI::App& app) {
  const char* file = std::getenv("STAGECOACH_CONFIG");
  const bool given = file != nullptr && *file != '\0';
  app.set_config("--config", given ? file : "",
                 "YAML file with names of flags, without the dashes, and "
                 "values; flags and the environment count more",
                 /*config_required=*/given)
      ->type_name("FILE");
  app.config_formatter(std::make_shared<ConfigFile>(app));
}

}  // namespace

std::string VariableOf(const std::string& flag) {
  std::string name = flag;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(c));
  });
  return absl::StrCat("STAGECOACH_", name);
}

CLI::Option* AddLogLevelFlag(CLI::App& app, std::string& value) {
  return AddFlag(app, "log-level", value, "Least that is logged")
      ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
}

CLI::Option* AddParentFlag(CLI::App& app, int& value) {
  return app.add_option("--watch-parent-fd", value)->group("");
}

bool IsLoopback(const std::string& listen) {
  return absl::StartsWith(listen, "127.") || listen == "::1" ||
         listen == "localhost";
}

absl::StatusOr<std::optional<int>> ParseFlags(
    CLI::App& app, const std::vector<std::string>& arguments) {
  AddConfigFlag(app);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return std::optional<int>(0);
  } catch (const CLI::CallForVersion& text) {
    std::cout << text.what() << std::endl;
    return std::optional<int>(0);
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(MessageOf(app, error));
  }
  return std::optional<int>();
}

}  // namespace stagecoach

#include "client/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/commands/registry.h"
#include "client/exit_code.h"
#include "core/base/suggest.h"

namespace stagecoach {
namespace {

constexpr char kDescription[] =
    "Trains neural networks cut into stages over worker processes";

// "--kye" has no value of its own to take along: "--kye=3" is about "--kye".
std::string FlagOf(const std::string& argument) {
  return argument.substr(0, argument.find('='));
}

std::vector<std::string> FlagsOf(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      flags.push_back(absl::StrCat("--", name));
    }
  }
  return flags;
}

std::string UsageError(const CLI::App& app, const CLI::ParseError& error) {
  const auto parsed = app.get_subcommands();
  const CLI::App& blamed = parsed.empty() ? app : *parsed.front();
  if (parsed.empty() &&
      dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return absl::StrCat(
        "name a command: ", absl::StrJoin(Commands().Names(), ", "),
        "; --help says what they do");
  }
  const std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr ||
      extras.empty()) {
    return error.what();
  }
  const std::string flag = FlagOf(extras.front());
  if (!absl::StartsWith(flag, "-")) {
    return absl::StrCat("'", flag, "' is one argument too many for '",
                        blamed.get_name(), "'");
  }
  return absl::StrCat("'", blamed.get_name(), "' has no flag ", flag,
                      Suggestion(flag, FlagsOf(blamed)));
}

int Fail(Environment& environment, const std::string& message, int exit_code) {
  environment.console.err << "stagecoach: " << message << std::endl;
  return exit_code;
}

// The first argument that is no flag names the command.
const std::string* CommandIn(const std::vector<std::string>& arguments) {
  const auto word = std::find_if(
      arguments.begin(), arguments.end(),
      [](const std::string& each) { return !absl::StartsWith(each, "-"); });
  return word == arguments.end() ? nullptr : &*word;
}

// The exit code where there is nothing more to do.
std::optional<int> Parse(CLI::App& app,
                         const std::vector<std::string>& arguments,
                         Environment& environment) {
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    const auto parsed = app.get_subcommands();
    environment.console.out
        << (parsed.empty() ? app.help() : parsed.front()->help(app.get_name()));
    return kExitDone;
  } catch (const CLI::CallForVersion& version) {
    environment.console.out << version.what() << std::endl;
    return kExitDone;
  } catch (const CLI::ParseError& error) {
    return Fail(environment, UsageError(app, error), kExitUsage);
  }
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments,
               const std::string& version, Environment& environment) {
  const std::string* word = CommandIn(arguments);
  if (word != nullptr && Commands().Find(*word) == nullptr) {
    return Fail(environment,
                absl::StrCat("there is no command '", *word, "'",
                             Suggestion(*word, Commands().Names())),
                kExitUsage);
  }
  CLI::App app(kDescription, "stagecoach");
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  std::map<std::string, std::unique_ptr<Command>> commands;
  for (const std::string& name : Commands().Names()) {
    commands[name] = (*Commands().Find(name))();
    commands[name]->Declare(*app.add_subcommand(name));
  }

  if (const auto done = Parse(app, arguments, environment)) return *done;
  Command& command = *commands[app.get_subcommands().front()->get_name()];
  const absl::StatusOr<int> exit_code = command.Run(environment);
  if (exit_code.ok()) return *exit_code;
  return Fail(environment, std::string(exit_code.status().message()),
              ExitCodeOf(exit_code.status()));
}

}  // namespace stagecoach

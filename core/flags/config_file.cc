#include "core/flags/config_file.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <istream>
#include <set>

#include "absl/strings/str_cat.h"
#include "core/base/suggest.h"
#include "core/flags/flags.h"

namespace stagecoach {
namespace {

[[noreturn]] void Refuse(const std::string& file, const YAML::Mark& mark,
                         const std::string& why) {
  throw CLI::ConfigError(absl::StrCat(file, ":", mark.line + 1, ": ", why),
                         CLI::ExitCodes::ConfigError);
}

YAML::Node Load(const std::string& file, std::istream& input) {
  try {
    return YAML::Load(input);
  } catch (const YAML::Exception& error) {
    Refuse(file, error.mark, error.msg);
  }
}

// Without the dashes.
std::vector<std::string> Keys(const CLI::App& app) {
  std::vector<std::string> keys;
  for (const std::string& flag : ShownFlags(app)) {
    if (flag != "--config" && flag != "--help" && flag != "--version") {
      keys.push_back(flag.substr(2));
    }
  }
  return keys;
}

}  // namespace

std::vector<std::string> ShownFlags(const CLI::App& app) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) {
      flags.push_back("--" + option->get_lnames().front());
    }
  }
  return flags;
}

std::vector<CLI::ConfigItem> ConfigFile::from_config(
    std::istream& input) const {
  const auto file = app_.get_config_ptr()->as<std::string>();
  const YAML::Node root = Load(file, input);
  if (root.IsNull()) return {};
  if (!root.IsMap()) Refuse(file, root.Mark(), "names of flags and values");
  const std::vector<std::string> known = Keys(app_);
  std::vector<CLI::ConfigItem> items;
  std::set<std::string> seen;
  for (const auto& entry : root) {
    const YAML::Node& key = entry.first;
    const YAML::Node& value = entry.second;
    const std::string name = key.IsScalar() ? key.Scalar() : "";
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      Refuse(file, key.Mark(),
             absl::StrCat("there is no flag \"", name, "\"",
                          Suggestion(name, known)));
    }
    if (!value.IsScalar()) {
      Refuse(file, key.Mark(), absl::StrCat(name, " takes one value"));
    }
    if (!seen.insert(name).second) {
      Refuse(file, key.Mark(), absl::StrCat(name, " is given twice"));
    }
    if (std::getenv(VariableOf(name).c_str()) != nullptr) continue;
    items.push_back({.name = name, .inputs = {value.Scalar()}});
  }
  return items;
}

}  // namespace stagecoach

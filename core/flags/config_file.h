#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace stagecoach {

// The file of `--config FILE.yaml`: a flat map from names of flags, without the
// dashes, to values. What the command line or the environment gives counts
// more. Throws CLI::ConfigError, as CLI11 wants it, with file, line and rule.
//
// Thread-confined: whoever parses.
class ConfigFile final : public CLI::Config {
 public:
  // `app` outlives it.
  explicit ConfigFile(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;

  // Writing one is of no use here.
  std::string to_config(const CLI::App*, bool, bool,
                        std::string) const override {
    return "";
  }

 private:
  const CLI::App& app_;
};

// The names of the flags that help shows, with their dashes.
std::vector<std::string> ShownFlags(const CLI::App& app);

}  // namespace stagecoach

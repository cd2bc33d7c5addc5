#include "client/flags.h"

#include <CLI/CLI.hpp>

#include "core/base/user_text.h"

namespace stagecoach {

void CoordinatorFlag::AddTo(CLI::App& app) {
  app.add_option("--coordinator", address, "Where the coordinator listens")
      ->envname("STAGECOACH_COORDINATOR")
      ->type_name("HOST:PORT")
      ->check(&HostPortError)
      ->capture_default_str();
}

std::unique_ptr<JobClient> CoordinatorFlag::Connect(
    const Environment& environment) const {
  return environment.connect(address);
}

void OutputFlag::AddTo(CLI::App& app) {
  app.add_option("--output", format, "table (for people) or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
}

}  // namespace stagecoach

#pragma once

#include <memory>
#include <string>

#include "client/command.h"

namespace stagecoach {

// `--coordinator`, of every command that talks to one.
struct CoordinatorFlag {
  std::string address = "127.0.0.1:7070";

  void AddTo(CLI::App& app);
  std::unique_ptr<JobClient> Connect(const Environment& environment) const;
};

// `--output`, of every command that prints data.
struct OutputFlag {
  std::string format = "table";

  void AddTo(CLI::App& app);
  bool json() const { return format == "json"; }
};

}  // namespace stagecoach

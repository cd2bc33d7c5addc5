#pragma once

#include <string>

#include "client/command.h"
#include "client/flags.h"

namespace stagecoach {

// `stagecoach debug WORKER`: the last moves of each stage on a worker, and whom
// it waits for.
class DebugCommand final : public Command {
 public:
  void Declare(CLI::App& app) override;
  absl::StatusOr<int> Run(Environment& environment) override;

 private:
  std::string worker_;
  CoordinatorFlag coordinator_;
  OutputFlag output_;
};

}  // namespace stagecoach

#pragma once

#include <string>

#include "client/command.h"
#include "client/flags.h"

namespace stagecoach {

// `stagecoach workers`: who is in the cluster.
class WorkersCommand final : public Command {
 public:
  void Declare(CLI::App& app) override;
  absl::StatusOr<int> Run(Environment& environment) override;

 private:
  CoordinatorFlag coordinator_;
  OutputFlag output_;
};

}  // namespace stagecoach

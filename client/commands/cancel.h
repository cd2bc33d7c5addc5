#pragma once

#include <string>

#include "client/command.h"
#include "client/flags.h"

namespace stagecoach {

// `stagecoach cancel JOB`: stops a job for good.
class CancelCommand final : public Command {
 public:
  void Declare(CLI::App& app) override;
  absl::StatusOr<int> Run(Environment& environment) override;

 private:
  std::string job_;
  CoordinatorFlag coordinator_;
  OutputFlag output_;
};

}  // namespace stagecoach

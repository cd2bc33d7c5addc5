#pragma once

#include <string>

#include "client/command.h"
#include "client/flags.h"

namespace stagecoach {

// `stagecoach submit JOB.yaml`: hands a job to the cluster and prints its id.
class SubmitCommand final : public Command {
 public:
  void Declare(CLI::App& app) override;
  absl::StatusOr<int> Run(Environment& environment) override;

 private:
  std::string path_;
  std::string key_;
  bool watch_ = false;
  CoordinatorFlag coordinator_;
  OutputFlag output_;
};

}  // namespace stagecoach

#pragma once

#include <string>

#include "client/command.h"
#include "client/flags.h"

namespace stagecoach {

// `stagecoach check JOB.yaml`: everything that can be refused without a
// cluster. Reads the data where it lies here, and says what it could not check.
class CheckCommand final : public Command {
 public:
  void Declare(CLI::App& app) override;
  absl::StatusOr<int> Run(Environment& environment) override;

 private:
  std::string path_;
  OutputFlag output_;
};

}  // namespace stagecoach

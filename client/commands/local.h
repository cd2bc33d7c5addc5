#pragma once

#include <filesystem>
#include <string>

#include "client/command.h"
#include "client/flags.h"
#include "core/job/job_spec.h"

namespace stagecoach {

// `stagecoach local JOB.yaml`: runs a whole cluster here, submits the job,
// watches it, and exits as it ends.
class LocalCommand final : public Command {
 public:
  void Declare(CLI::App& app) override;
  absl::StatusOr<int> Run(Environment& environment) override;

 private:
  absl::StatusOr<std::filesystem::path> StateFolder() const;
  int WorkersFor(const JobSpec& spec) const;
  absl::StatusOr<int> RunJob(const JobSpec& spec, const std::string& address,
                             Interrupt& stop, Environment& environment);

  std::string path_;
  int workers_ = 0;  // 0: as many as stages
  bool in_process_ = false;
  std::string state_;
  OutputFlag output_;
};

}  // namespace stagecoach

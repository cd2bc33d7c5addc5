#include "client/commands/cancel.h"

#include <CLI/CLI.hpp>

#include "core/base/status_macros.h"

namespace stagecoach {

void CancelCommand::Declare(CLI::App& app) {
  app.description("Stop a job for good");
  app.add_option("JOB", job_, "Its id, as printed by submit")->required();
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> CancelCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const JobStatus job,
                      coordinator_.Connect(environment)->Cancel(JobId(job_)));
  if (output_.json()) {
    environment.console.out << ResultValue(job).dump() << std::endl;
    return 0;
  }
  environment.console.err << job.id
                          << (IsFinal(job.state) ? " is cancelled"
                                                 : " is being cancelled")
                          << std::endl;
  return 0;
}

}  // namespace stagecoach

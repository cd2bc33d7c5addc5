#include "client/commands/watch.h"

#include <CLI/CLI.hpp>

#include "client/watching.h"

namespace stagecoach {

void WatchCommand::Declare(CLI::App& app) {
  app.description("Follow a job to its end; exits as the job does");
  app.add_option("JOB", job_, "Its id, as printed by submit")->required();
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> WatchCommand::Run(Environment& environment) {
  const std::unique_ptr<JobClient> client = coordinator_.Connect(environment);
  return WatchJob(*client, JobId(job_), output_.json(), environment);
}

}  // namespace stagecoach

#include "client/commands/watch.h"

#include <CLI/CLI.hpp>

#include "client/watching.h"
#include "core/base/status_macros.h"

namespace stagecoach {

void WatchCommand::Declare(CLI::App& app) {
  app.description("Follow a job to its end; exits as the job does");
  app.footer(
      "Examples:\n"
      "  stagecoach watch job-1\n"
      "  stagecoach watch job-1 --output json    # one object a line");
  app.add_option("JOB", job_, "Its id, as printed by submit")->required();
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> WatchCommand::Run(Environment& environment) {
  const std::unique_ptr<JobClient> client = coordinator_.Connect(environment);
  // Only a coordinator that was there is waited for.
  SC_RETURN_IF_ERROR(client->Describe(JobId(job_)).status());
  return WatchJob(*client, JobId(job_), output_.json(), environment);
}

}  // namespace stagecoach

#include "client/commands/submit.h"

#include <CLI/CLI.hpp>

#include "client/watching.h"
#include "core/base/status_macros.h"

namespace stagecoach {

void SubmitCommand::Declare(CLI::App& app) {
  app.description("Hand a job to the cluster and print its id");
  app.footer(
      "Examples:\n"
      "  stagecoach submit job.yaml --watch\n"
      "  stagecoach submit job.yaml --key nightly-2026-01-31");
  app.add_option("JOB.yaml", path_, "The job file")->required();
  app.add_option("--key", key_, "The same key never makes a second job");
  app.add_flag("--watch", watch_, "Follow the job to its end");
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> SubmitCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const std::unique_ptr<JobDocument> file,
                      environment.job_documents.Read(path_));
  const std::unique_ptr<JobClient> client = coordinator_.Connect(environment);
  const absl::StatusOr<JobStatus> job = client->Submit(file->spec(), key_);
  if (!job.ok()) return file->Locate(job.status());
  if (output_.json() && !watch_) {
    environment.console.out << ResultValue(*job).dump() << std::endl;
  }
  if (!output_.json()) environment.console.out << job->id << std::endl;
  if (!watch_) return 0;
  return WatchJob(*client, job->id, output_.json(), environment);
}

}  // namespace stagecoach

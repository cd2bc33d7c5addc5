#include "client/commands/check.h"

#include <CLI/CLI.hpp>

#include "client/checked_job.h"
#include "core/base/status_macros.h"

namespace stagecoach {

void CheckCommand::Declare(CLI::App& app) {
  app.description("Refuse here what a cluster would refuse");
  app.footer(
      "Examples:\n"
      "  stagecoach check job.yaml\n"
      "  stagecoach check job.yaml --output json    # with all defaults");
  app.add_option("JOB.yaml", path_, "The job file")->required();
  output_.AddTo(app);
}

absl::StatusOr<int> CheckCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const std::unique_ptr<JobDocument> file,
                      environment.job_documents.Read(path_));
  const absl::StatusOr<CheckedJob> job = CheckJob(file->spec());
  if (!job.ok()) return file->Locate(job.status());
  std::ostream& out = environment.console.out;
  if (output_.json()) {
    out << CheckValue(*job).dump(2) << std::endl;
    return 0;
  }
  out << path_ << " is valid\n";
  for (const std::string& line : CheckLines(*job)) out << line << "\n";
  out.flush();
  return 0;
}

}  // namespace stagecoach

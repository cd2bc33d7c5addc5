#include "client/commands/result.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_cat.h"
#include "client/display.h"
#include "client/exit_code.h"
#include "core/base/status_macros.h"

namespace stagecoach {

void ResultCommand::Declare(CLI::App& app) {
  app.description("Show what a job left; exits as the job did");
  app.footer(
      "Examples:\n"
      "  stagecoach result job-1\n"
      "  stagecoach result job-1 --output json");
  app.add_option("JOB", job_, "Its id, as printed by submit")->required();
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> ResultCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const JobDescription job,
                      coordinator_.Connect(environment)->Describe(JobId(job_)));
  if (!IsFinal(job.status.state)) {
    return absl::FailedPreconditionError(absl::StrCat(
        job_, " is ", std::string(NameOf(job.status.state)),
        ", it has no result yet; follow it with: stagecoach watch ", job_));
  }
  std::ostream& out = environment.console.out;
  if (output_.json()) {
    out << ResultValue(job.status).dump() << std::endl;
  } else {
    const Look look{.colours = environment.console.colours};
    for (const std::string& line : Summary(job.status, look)) {
      out << line << "\n";
    }
  }
  return ExitCodeOf(job.status.state);
}

}  // namespace stagecoach

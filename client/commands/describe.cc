#include "client/commands/describe.h"

#include <CLI/CLI.hpp>

#include "client/display.h"
#include "core/base/status_macros.h"
#include "core/resolve/resolved_job.h"

namespace stagecoach {

void DescribeCommand::Declare(CLI::App& app) {
  app.description("Show where a job stands, and its spec");
  app.add_option("JOB", job_, "Its id, as printed by submit")->required();
  coordinator_.AddTo(app);
  output_.AddTo(app);
}

absl::StatusOr<int> DescribeCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const JobDescription job,
                      coordinator_.Connect(environment)->Describe(JobId(job_)));
  std::ostream& out = environment.console.out;
  if (output_.json()) {
    const Value all = {{"status", ResultValue(job.status)},
                       {"spec", ToValue(job.spec)}};
    out << all.dump() << std::endl;
    return 0;
  }
  const Look look{.width = environment.console.width,
                  .colours = environment.console.colours};
  const auto lines =
      IsFinal(job.status.state)
          ? Summary(job.status, look)
          : StatusBlock(job.status, environment.clock.WallNow(), look);
  for (const std::string& line : lines) out << line << "\n";
  out << "spec:\n" << ToValue(job.spec).dump(2) << std::endl;
  return 0;
}

}  // namespace stagecoach

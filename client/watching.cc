#include "client/watching.h"

#include "client/exit_code.h"
#include "client/follow.h"

namespace stagecoach {

std::unique_ptr<JobView> MakeView(std::ostream& out,
                                  const Environment& environment) {
  return environment.console.terminal
             ? TerminalView(environment.console, out, environment.clock)
             : LineView(environment.console, out, environment.clock);
}

absl::StatusOr<int> WatchJob(JobClient& client, const JobId& job, bool json,
                             Environment& environment) {
  Console& console = environment.console;
  const std::unique_ptr<JobView> view =
      json ? JsonView(console.out) : MakeView(console.out, environment);
  const absl::StatusOr<JobStatus> last =
      Follow(client, job, *view, environment.interrupt);
  if (last.ok()) return ExitCodeOf(last->state);
  if (!absl::IsCancelled(last.status())) return last.status();
  console.err << "interrupted; " << job << " goes on: stagecoach watch " << job
              << ", stagecoach cancel " << job << std::endl;
  return kExitInterrupted;
}

}  // namespace stagecoach

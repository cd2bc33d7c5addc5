#include "client/commands/local.h"

#include <CLI/CLI.hpp>
#include <optional>

#include "absl/strings/str_cat.h"
#include "client/checked_job.h"
#include "client/exit_code.h"
#include "client/follow.h"
#include "client/local_cluster.h"
#include "client/state_folder.h"
#include "client/watching.h"
#include "core/base/field_error.h"
#include "core/base/mutex.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

// Ends the command when the user interrupts or the cluster breaks down, and
// knows which it was.
class Breakdown {
 public:
  explicit Breakdown(Interrupt& user)
      : registration_(user, [this] { stop_.Trigger(); }) {}

  void Report(absl::Status why) {
    {
      const MutexLock lock(mutex_);
      why_ = std::move(why);
    }
    stop_.Trigger();
  }

  // OK: the cluster did not break down.
  absl::Status why() const {
    const MutexLock lock(mutex_);
    return why_;
  }

  Interrupt& stop() { return stop_; }

 private:
  Interrupt stop_;
  mutable Mutex mutex_;
  absl::Status why_ ABSL_GUARDED_BY(mutex_);
  Interrupt::Registration registration_;
};

// Here, unlike in `check`, nobody else can have the data.
absl::Status NoData(const CheckedJob& job) {
  return FieldError(absl::StrCat("data.", job.spec.data.source.name, ".path"),
                    absl::StrCat("there is nothing at ", job.data_path));
}

}  // namespace

void LocalCommand::Declare(CLI::App& app) {
  app.description("Run a whole cluster here and a job on it");
  app.footer(
      "Examples:\n"
      "  stagecoach local deploy/jobs/mlp.yaml\n"
      "  stagecoach local deploy/jobs/mlp.yaml --in-process --output json");
  app.add_option("JOB.yaml", path_, "The job file")->required();
  CLI::Option* workers =
      app.add_option("--workers", workers_,
                     "Worker processes; as many as stages unless given")
          ->check(CLI::Range(1, 64))
          ->type_name("N");
  app.add_flag("--in-process", in_process_, "All stages in one worker process")
      ->excludes(workers);
  app.add_option("--state", state_,
                 "Folder for logs and the coordinator's database; a new one in "
                 "~/.local/state/stagecoach unless given")
      ->type_name("DIR");
  output_.AddTo(app);
}

absl::StatusOr<std::filesystem::path> LocalCommand::StateFolder() const {
  if (state_.empty()) return NewStateFolder();
  return std::filesystem::absolute(state_);
}

int LocalCommand::WorkersFor(const JobSpec& spec) const {
  if (in_process_) return 1;
  return workers_ == 0 ? static_cast<int>(spec.stages) : workers_;
}

absl::StatusOr<int> LocalCommand::Run(Environment& environment) {
  SC_ASSIGN_OR_RETURN(const std::unique_ptr<JobDocument> file,
                      environment.job_documents.Read(path_));
  const absl::StatusOr<CheckedJob> job = CheckJob(file->spec());
  if (!job.ok()) return file->Locate(job.status());
  if (!job->resolved.has_value()) return file->Locate(NoData(*job));

  SC_ASSIGN_OR_RETURN(const std::filesystem::path state, StateFolder());
  environment.console.err << "state and logs in " << state.string()
                          << std::endl;
  const int workers = WorkersFor(job->spec);
  const int slots =
      (static_cast<int>(job->spec.stages) + workers - 1) / workers;
  Breakdown breakdown(environment.interrupt);
  absl::StatusOr<std::unique_ptr<LocalCluster>> cluster = LocalCluster::Start(
      {.programs = environment.program_folder,
       .state = state,
       .workers = workers,
       .slots = slots},
      environment.clock, breakdown.stop(),
      [&breakdown](absl::Status why) { breakdown.Report(std::move(why)); });
  if (!cluster.ok()) {
    if (!absl::IsCancelled(cluster.status())) return cluster.status();
    return kExitInterrupted;
  }
  absl::StatusOr<int> exit_code =
      RunJob(file->spec(), (*cluster)->coordinator_address(), breakdown.stop(),
             environment);
  if (exit_code.ok() && *exit_code == kExitInterrupted) {
    SC_RETURN_IF_ERROR(breakdown.why());
  }
  if (!exit_code.ok()) return file->Locate(exit_code.status());
  return exit_code;
}

absl::StatusOr<int> LocalCommand::RunJob(const JobSpec& spec,
                                         const std::string& address,
                                         Interrupt& stop,
                                         Environment& environment) {
  Console& console = environment.console;
  const std::unique_ptr<JobClient> client = environment.connect(address);
  SC_ASSIGN_OR_RETURN(const JobStatus job, client->Submit(spec, /*key=*/""));
  const std::unique_ptr<JobView> view =
      MakeView(output_.json() ? console.err : console.out, environment);
  const absl::StatusOr<JobStatus> last = Follow(*client, job.id, *view, stop);
  if (last.ok()) {
    if (output_.json()) console.out << ResultValue(*last).dump() << std::endl;
    return ExitCodeOf(last->state);
  }
  if (!absl::IsCancelled(last.status())) return last.status();
  // So that a later run with the same state does not take it up again.
  if (client->Cancel(job.id).ok()) {
    console.err << "interrupted; " << job.id << " is cancelled" << std::endl;
  }
  return kExitInterrupted;
}

}  // namespace stagecoach

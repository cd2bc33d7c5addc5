#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/debugging/failure_signal_handler.h"
#include "absl/debugging/symbolize.h"
#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "coordinator/flags.h"
#include "coordinator/grpc/job_service.h"
#include "coordinator/grpc/proto_job_codec.h"
#include "coordinator/grpc/session_service.h"
#include "coordinator/sqlite_job_store.h"
#include "core/base/clock.h"
#include "core/base/file_system.h"
#include "core/base/status_macros.h"
#include "core/base/thread_executor.h"
#include "core/base/version.h"
#include "core/grpc/log.h"
#include "core/grpc/server.h"
#include "core/log/log.h"
#include "core/metrics/metrics.h"
#include "core/metrics/metrics_server.h"
#include "core/process/termination.h"

namespace stagecoach {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitConfiguration = 2;

std::string VersionText() {
  return absl::StrCat("stagecoach-coordinator ", BuildId());
}

// What is decided can no longer be kept: the next life starts from what is
// stored, and whoever waits for an answer asks again.
[[noreturn]] void GiveUp(const absl::Status& why) {
  LogError("the state cannot be stored: ", why.message(),
           "; this process ends");
  std::_Exit(kExitFailed);
}

// Everything that lives as long as the process, in the order of its birth.
class Program {
 public:
  explicit Program(CoordinatorFlags flags) : flags_(std::move(flags)) {}

  absl::Status Start();
  // Returns the exit code.
  int Run(Termination& termination);

 private:
  absl::Status StartCoordinator();
  absl::Status Listen();
  absl::Status ShowMetrics();
  bool Stop(absl::Duration patience);

  const CoordinatorFlags flags_;
  SystemClock clock_;
  PosixFileSystem files_;
  const ProtoJobCodec codec_;
  Metrics metrics_;
  Gauge build_info_;
  std::unique_ptr<SqliteJobStore> store_;
  // Ended by Stop(), before what their tasks use.
  std::unique_ptr<ThreadExecutor> executor_ =
      std::make_unique<ThreadExecutor>("coordinator");
  std::unique_ptr<ThreadExecutor> journal_ =
      std::make_unique<ThreadExecutor>("journal");
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<JobService> jobs_;
  std::unique_ptr<SessionService> sessions_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<MetricsServer> metrics_server_;
};

absl::Status Program::Start() {
  SC_RETURN_IF_ERROR(StartCoordinator());
  SC_RETURN_IF_ERROR(Listen());
  SC_RETURN_IF_ERROR(ShowMetrics());
  if (!flags_.port_file.empty()) {
    SC_RETURN_IF_ERROR(
        files_.Replace(flags_.port_file, absl::StrCat(server_->port(), "\n")));
  }
  LogInfo("the coordinator listens at ",
          JoinHostPort(flags_.listen, server_->port()), ", metrics at port ",
          metrics_server_->port(), ", state in ", flags_.state);
  return absl::OkStatus();
}

absl::Status Program::StartCoordinator() {
  if (const absl::Status made = files_.MakeFolder(flags_.state); !made.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--state: ", made.message(), "; name another folder"));
  }
  SC_ASSIGN_OR_RETURN(
      store_,
      SqliteJobStore::Open(absl::StrCat(flags_.state, "/jobs.sqlite"), codec_));
  const Membership::Options membership = {
      .lease = absl::Seconds(flags_.lease_seconds),
      .grace = absl::Seconds(flags_.grace_seconds)};
  SC_ASSIGN_OR_RETURN(coordinator_,
                      Coordinator::Start({.membership = membership,
                                          .adopt_timeout = membership.lease},
                                         {.clock = clock_,
                                          .executor = *executor_,
                                          .store = *store_,
                                          .journal_executor = *journal_,
                                          .metrics = metrics_,
                                          .on_failure = &GiveUp}));
  return absl::OkStatus();
}

absl::Status Program::Listen() {
  jobs_ = std::make_unique<JobService>(*coordinator_);
  sessions_ = std::make_unique<SessionService>(*coordinator_);
  SC_ASSIGN_OR_RETURN(
      server_, Server::Start({.host = flags_.listen, .port = flags_.port},
                             {jobs_.get(), sessions_.get()}));
  return absl::OkStatus();
}

absl::Status Program::ShowMetrics() {
  const BuildInfo build = GetBuildInfo();
  build_info_ = metrics_.AddGauge("build_info", "Which build this is",
                                  {{"version", std::string(build.version)},
                                   {"revision", std::string(build.revision)}});
  build_info_.Set(1);
  SC_ASSIGN_OR_RETURN(
      metrics_server_,
      MetricsServer::Start({.host = flags_.listen, .port = flags_.metrics_port},
                           metrics_,
                           [this] { return coordinator_->NotReady(); }));
  return absl::OkStatus();
}

int Program::Run(Termination& termination) {
  const std::string reason = termination.Wait(flags_.watch_parent_fd);
  LogInfo("ending: ", reason);
  // Nobody is left to wait for anything.
  if (reason == Termination::kParentEnded) std::_Exit(0);
  if (!Stop(absl::Seconds(flags_.drain_seconds))) {
    LogError("the state could not be stored within ", flags_.drain_seconds,
             " s; this process ends");
    std::_Exit(kExitFailed);
  }
  return 0;
}

// False if what is left could not be stored in time.
bool Program::Stop(absl::Duration patience) {
  const absl::Duration deadline = clock_.Now() + patience;
  server_->SetServing(false);
  if (!coordinator_->Drain(patience)) return false;
  server_->Shutdown(deadline - clock_.Now());
  metrics_server_.reset();
  // Drained, the coordinator posts nothing from one to the other.
  executor_.reset();
  journal_.reset();
  return true;
}

int Main(const std::vector<std::string>& arguments, Termination& termination) {
  const auto parsed = ParseCoordinatorFlags(arguments, VersionText());
  if (!parsed.ok()) {
    std::cerr << "stagecoach-coordinator: " << parsed.status().message()
              << std::endl;
    return kExitConfiguration;
  }
  if (parsed->exit_code.has_value()) return *parsed->exit_code;
  SetLogLevel(LogLevelFromName(parsed->flags.log_level).value());
  RouteGrpcLog();

  Program program(parsed->flags);
  if (const absl::Status started = program.Start(); !started.ok()) {
    std::cerr << "stagecoach-coordinator: " << started.message() << std::endl;
    std::_Exit(kExitConfiguration);
  }
  return program.Run(termination);
}

}  // namespace
}  // namespace stagecoach

int main(int argc, char** argv) {
  absl::InitializeSymbolizer(argv[0]);
  absl::InstallFailureSignalHandler({});
  stagecoach::Termination termination;
  return stagecoach::Main({argv + 1, argv + argc}, termination);
}

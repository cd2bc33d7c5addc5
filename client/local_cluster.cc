#include "client/local_cluster.h"

#include <unistd.h>

#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

constexpr absl::Duration kComeUpTimeout = absl::Seconds(30);
constexpr absl::Duration kLookAgain = absl::Milliseconds(10);
constexpr absl::Duration kStopPatience = absl::Seconds(5);
constexpr int kDrainSeconds = 2;  // within the patience
constexpr size_t kTailLines = 5;

constexpr char kCoordinator[] = "stagecoach-coordinator";
constexpr char kWorker[] = "stagecoach-worker";

std::string WorkerNameOf(int worker) { return absl::StrCat("worker-", worker); }

}  // namespace

absl::StatusOr<std::unique_ptr<LocalCluster>> LocalCluster::Start(
    const Options& options, const Clock& clock, Interrupt& interrupt,
    Failed failed) {
  std::unique_ptr<LocalCluster> cluster(
      new LocalCluster(options, clock, std::move(failed)));
  SC_RETURN_IF_ERROR(cluster->CheckPrograms());
  SC_RETURN_IF_ERROR(cluster->MakeFolders());

  SupervisedChild& coordinator =
      cluster->Add("coordinator", cluster->CoordinatorCommand(/*port=*/0));
  SC_ASSIGN_OR_RETURN(const int port, cluster->AwaitPort(interrupt));
  cluster->address_ = absl::StrCat("127.0.0.1:", port);
  // Started again, it listens where clients and workers look for it.
  cluster->executor_.Post(
      [&coordinator, command = cluster->CoordinatorCommand(port)] {
        coordinator.SetCommand(command);
      });
  for (int worker = 0; worker < options.workers; ++worker) {
    cluster->Add(WorkerNameOf(worker), cluster->WorkerCommand(worker));
  }
  return cluster;
}

LocalCluster::LocalCluster(Options options, const Clock& clock, Failed failed)
    : options_(std::move(options)),
      clock_(clock),
      failed_(std::move(failed)),
      executor_("supervisor") {}

LocalCluster::~LocalCluster() { Stop(); }

absl::Status LocalCluster::CheckPrograms() const {
  for (const char* name : {kCoordinator, kWorker}) {
    const std::filesystem::path program = options_.programs / name;
    if (access(program.c_str(), X_OK) == 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        program.string(), " cannot be run; build it: cmake --build build"));
  }
  return absl::OkStatus();
}

absl::Status LocalCluster::MakeFolders() const {
  std::error_code error;
  std::filesystem::create_directories(options_.state / "logs", error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot make the folder ", options_.state.string(), ": ",
                     error.message(), "; name another one with --state DIR"));
  }
  std::filesystem::remove(PortFile(), error);
  return absl::OkStatus();
}

SupervisedChild& LocalCluster::Add(const std::string& name,
                                   std::vector<std::string> command) {
  children_.push_back(std::make_unique<SupervisedChild>(
      name,
      ChildProcess::Options{.command = std::move(command),
                            .log = LogOf(name).string()},
      SupervisedChild::Seams{.executor = executor_,
                             .clock = clock_,
                             .lifeline = lifeline_,
                             .given_up = [this, name](absl::Status why) {
                               OnGivenUp(name, std::move(why));
                             }}));
  SupervisedChild& child = *children_.back();
  executor_.Post([&child] { child.Start(); });
  return child;
}

std::vector<std::string> LocalCluster::CoordinatorCommand(int port) const {
  return {(options_.programs / kCoordinator).string(),
          "--listen=127.0.0.1",
          absl::StrCat("--port=", port),
          absl::StrCat("--port-file=", PortFile().string()),
          "--metrics-port=0",
          absl::StrCat("--state=", (options_.state / "coordinator").string()),
          absl::StrCat("--drain-seconds=", kDrainSeconds),
          absl::StrCat("--watch-parent-fd=", ChildProcess::kLifelineFd)};
}

std::vector<std::string> LocalCluster::WorkerCommand(int worker) const {
  return {
      (options_.programs / kWorker).string(),
      absl::StrCat("--coordinator=", address_),
      absl::StrCat("--name=", WorkerNameOf(worker)),
      "--listen=127.0.0.1",
      "--port=0",
      "--metrics-port=0",
      absl::StrCat("--slots=", options_.slots),
      absl::StrCat("--data-root=", std::filesystem::current_path().string()),
      absl::StrCat("--drain-seconds=", kDrainSeconds),
      absl::StrCat("--watch-parent-fd=", ChildProcess::kLifelineFd)};
}

absl::StatusOr<int> LocalCluster::AwaitPort(Interrupt& interrupt) {
  const absl::Duration deadline = clock_.Now() + kComeUpTimeout;
  while (clock_.Now() < deadline) {
    std::ifstream file(PortFile());
    std::string text;
    int port = 0;
    if (std::getline(file, text) && absl::SimpleAtoi(text, &port)) return port;
    if (gave_up_.WaitFor(kLookAgain)) return why_;
    if (interrupt.triggered()) return absl::CancelledError("interrupted");
  }
  return absl::InternalError(
      absl::StrCat("the coordinator did not listen within ",
                   absl::FormatDuration(kComeUpTimeout),
                   "; its log: ", LogOf("coordinator").string()));
}

void LocalCluster::OnGivenUp(const std::string& name, absl::Status why) {
  if (gave_up_.triggered()) return;
  std::string text(why.message());
  for (const std::string& line : TailOf(LogOf(name), kTailLines)) {
    absl::StrAppend(&text, "\n  ", line);
  }
  why_ = absl::Status(why.code(), text);
  gave_up_.Trigger();
  failed_(why_);
}

void LocalCluster::Stop() {
  Interrupt all_stopped;
  size_t left = children_.size();  // touched on the executor only
  executor_.Post([&] {
    if (left == 0) return all_stopped.Trigger();
    for (auto& child : children_) {
      child->Stop(kStopPatience, [&] {
        if (--left == 0) all_stopped.Trigger();
      });
    }
  });
  // Bounded: after the patience the children are killed.
  while (!all_stopped.WaitFor(kStopPatience)) {
  }
}

std::filesystem::path LocalCluster::PortFile() const {
  return options_.state / "coordinator.port";
}

std::filesystem::path LocalCluster::LogOf(const std::string& name) const {
  return options_.state / "logs" / absl::StrCat(name, ".log");
}

std::vector<std::string> TailOf(const std::filesystem::path& log,
                                size_t lines) {
  constexpr std::streamoff kBytes = 8192;  // enough for a few lines
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(size > kBytes ? size - kBytes : 0);
  const std::string end(std::istreambuf_iterator<char>(file), {});
  std::vector<std::string> all =
      absl::StrSplit(end, '\n', absl::SkipWhitespace());
  if (all.size() > lines)
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(lines));
  return all;
}

}  // namespace stagecoach

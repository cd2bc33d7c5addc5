#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/headeronly/version.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/debugging/failure_signal_handler.h"
#include "absl/debugging/symbolize.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "core/base/allocator.h"
#include "core/base/clock.h"
#include "core/base/file_system.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/thread_executor.h"
#include "core/base/version.h"
#include "core/data/augmentation.h"
#include "core/data/data_source.h"
#include "core/grpc/log.h"
#include "core/grpc/server.h"
#include "core/log/log.h"
#include "core/method/method.h"
#include "core/metrics/metrics.h"
#include "core/metrics/metrics_server.h"
#include "core/model/zoo.h"
#include "core/optimizer/learning_rate.h"
#include "core/process/termination.h"
#include "worker/flags.h"
#include "worker/grpc/grpc_dialer.h"
#include "worker/memory_limit.h"
#include "worker/model/layers.h"
#include "worker/optimizer/optimizer.h"
#include "worker/session.h"
#include "worker/stage/torch_stage.h"
#include "worker/stage_metrics.h"
#include "worker/transport/frame_memory.h"
#include "worker/transport/grpc/grpc_network.h"
#include "worker/update/update_rule.h"
#include "worker/worker.h"

namespace stagecoach {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitConfiguration = 2;
constexpr absl::Duration kFlushTimeout = absl::Seconds(2);

// What workers of one job must have in common: equal bits are promised for
// equal code, kernels and instruction sets.
std::string WorkerBuild() {
  return absl::StrCat(BuildId(), ", torch ", TORCH_VERSION, ", CPU ",
                      at::get_cpu_capability());
}

std::string VersionText() {
#ifdef STAGECOACH_CUDA
  const char* cuda = "built in";
#else
  const char* cuda = "not built in";
#endif
  return absl::StrCat("stagecoach-worker ", WorkerBuild(), ", CUDA ", cuda);
}

std::string DeviceOf(const WorkerFlags& flags) {
  if (flags.device != "auto") return flags.device;
  return at::hasCUDA() ? "cuda" : "cpu";
}

absl::Status CheckDevice(const WorkerFlags& flags) {
  if (flags.device != "cuda" || at::hasCUDA()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      "--device cuda: this build or this machine has no CUDA device; use cpu "
      "or auto");
}

Hello HelloOf(const WorkerFlags& flags, Incarnation incarnation,
              const std::string& data_address) {
  const int64_t memory =
      flags.memory_limit > 0
          ? flags.memory_limit
          : DefaultMemoryLimit(PosixFileSystem(), PhysicalMemory());
  return {.name = WorkerName(flags.name),
          .incarnation = incarnation,
          .build = WorkerBuild(),
          .slots = flags.slots,
          .memory_bytes = memory,
          .device = DeviceOf(flags),
          .data_address = data_address,
          .registries = {{"method", UpdateRules().Names()},
                         {"optimizer", OptimizerMakers().Names()},
                         {"layer", LayerMakers().Names()},
                         {"model", ZooModels().Names()},
                         {"data", DataSources().Names()},
                         {"augmentation", Augmentations().Names()},
                         {"learning_rate", LearningRates().Names()}}};
}

// Readies the heap for a stage's tensors on its thread, before it allocates
// them: an idle worker stays small.
class PrefaultingFactory final : public StageFactory {
 public:
  absl::StatusOr<std::unique_ptr<Stage>> Create(
      const StageOptions& options, PassObserver& observer) override {
    constexpr int64_t kSlack = 64 << 20;
    const StageMemory memory = MemoryOf(*options.job, options.stage.value());
    PrefaultHeap(memory.links + kSlack);
    return factory_.Create(options, observer);
  }

 private:
  TorchStageFactory factory_;
};

[[noreturn]] void GiveUp(const std::string& why) {
  LogError(why, "; this process ends");
  std::_Exit(kExitFailed);
}

// Everything that lives as long as the process, in the order of its birth.
class Program {
 public:
  explicit Program(WorkerFlags flags)
      : flags_(std::move(flags)),
        incarnation_(random_.Next()),
        dialer_(flags_.coordinator),
        network_({}, memory_, random_),
        data_({.root = DataRoot(), .confined = !flags_.on_loopback()}, *worker_,
              *slow_) {}

  absl::Status Start();
  // Returns the exit code.
  int Run(Termination& termination);

 private:
  std::string DataRoot() const {
    return flags_.data_root.empty() ? std::filesystem::current_path().string()
                                    : flags_.data_root;
  }

  absl::Status Listen();
  std::string DataAddress() const;
  void MakeWorker();
  void Stop(absl::Duration patience);
  void RunOnWorker(const std::function<void()>& task);

  const WorkerFlags flags_;
  const SystemClock clock_;
  SystemRandom random_;
  const Incarnation incarnation_;
  AlignedFrameMemory memory_;
  PrefaultingFactory factory_;
  Metrics metrics_;
  Gauge build_info_;
  // Ended by Stop(), before what their tasks use.
  std::unique_ptr<ThreadExecutor> worker_ =
      std::make_unique<ThreadExecutor>("worker");
  std::unique_ptr<ThreadExecutor> slow_ =
      std::make_unique<ThreadExecutor>("slow");
  GrpcDialer dialer_;
  GrpcNetwork network_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<MetricsServer> metrics_server_;
  DataLoader data_;
  std::unique_ptr<WorkerSession> session_;
  std::unique_ptr<Worker> the_worker_;
};

absl::Status Program::Start() {
  SC_RETURN_IF_ERROR(CheckDevice(flags_));
  SC_RETURN_IF_ERROR(Listen());
  const BuildInfo build = GetBuildInfo();
  build_info_ = metrics_.AddGauge("build_info", "Which build this is",
                                  {{"version", std::string(build.version)},
                                   {"revision", std::string(build.revision)}});
  build_info_.Set(1);
  MakeWorker();
  SC_ASSIGN_OR_RETURN(
      metrics_server_,
      MetricsServer::Start({.host = flags_.listen, .port = flags_.metrics_port},
                           metrics_, [this]() -> std::string {
                             return session_->connected()
                                        ? ""
                                        : "no session with the coordinator";
                           }));
  if (!flags_.port_file.empty()) {
    SC_RETURN_IF_ERROR(PosixFileSystem().Replace(
        flags_.port_file, absl::StrCat(server_->port(), "\n")));
  }
  LogInfo("worker ", flags_.name, " listens at ", DataAddress(),
          ", metrics at port ", metrics_server_->port(), ", device ",
          DeviceOf(flags_));
  worker_->Post([this] { session_->Start(*the_worker_); });
  return absl::OkStatus();
}

absl::Status Program::Listen() {
  const ServerOptions options{
      .host = flags_.listen,
      .port = flags_.port,
      .configure = [this](grpc::ServerBuilder& builder) {
        network_.Configure(builder);
      }};
  SC_ASSIGN_OR_RETURN(server_, Server::Start(options, {&network_.service()}));
  network_.Start(DataAddress());
  return absl::OkStatus();
}

std::string Program::DataAddress() const {
  if (!flags_.advertise.empty()) return flags_.advertise;
  const bool any = flags_.listen == "0.0.0.0" || flags_.listen == "::";
  return JoinHostPort(any ? flags_.name : flags_.listen, server_->port());
}

void Program::MakeWorker() {
  const Hello hello = HelloOf(flags_, incarnation_, DataAddress());
  session_ = std::make_unique<WorkerSession>(
      WorkerSession::Options{.hello = hello}, dialer_, *worker_, random_,
      [](const absl::Status& why) {
        LogError("the coordinator refuses this worker: ", why.message());
        std::_Exit(absl::IsInvalidArgument(why) ? kExitConfiguration
                                                : kExitFailed);
      });
  the_worker_ = std::make_unique<Worker>(
      Worker::Options{.name = hello.name,
                      .incarnation = incarnation_,
                      .slots = hello.slots,
                      .memory_bytes = hello.memory_bytes,
                      .device = hello.device},
      Worker::Seams{.cluster = *session_,
                    .data = data_,
                    .run = {.stage = {.worker = *worker_,
                                      .slow = *slow_,
                                      .clock = clock_,
                                      .factory = factory_},
                            .network = network_,
                            .make_thread =
                                [](const std::string& name) {
                                  return std::make_unique<ThreadExecutor>(name);
                                },
                            .watch =
                                [this](const StageOptions& options) {
                                  return std::make_unique<StageMetrics>(
                                      options, WorkerName(flags_.name),
                                      metrics_, clock_);
                                }},
                    .give_up = &GiveUp});
}

int Program::Run(Termination& termination) {
  const std::string reason = termination.Wait(flags_.watch_parent_fd);
  LogInfo("ending: ", reason);
  // Nobody is left to wait for anything.
  if (reason == Termination::kParentEnded) std::_Exit(0);
  Stop(absl::Seconds(flags_.drain_seconds));
  return 0;
}

void Program::RunOnWorker(const std::function<void()>& task) {
  absl::Notification done;
  worker_->Post([&] {
    task();
    done.Notify();
  });
  done.WaitForNotification();
}

// A stage that does not stop ends the process by itself.
void Program::Stop(absl::Duration patience) {
  server_->SetServing(false);
  absl::Notification drained;
  worker_->Post(
      [&] { the_worker_->Drain(patience, [&drained] { drained.Notify(); }); });
  drained.WaitForNotification();
  RunOnWorker([this] { session_->Close(); });
  network_.Drain(kFlushTimeout);
  server_->Shutdown(kFlushTimeout);
  network_.Stop();
  metrics_server_.reset();
  slow_.reset();
  worker_.reset();
}

int Main(const std::vector<std::string>& arguments, Termination& termination) {
  const auto parsed = ParseWorkerFlags(arguments, VersionText());
  if (!parsed.ok()) {
    std::cerr << "stagecoach-worker: " << parsed.status().message()
              << std::endl;
    return kExitConfiguration;
  }
  if (parsed->exit_code.has_value()) return *parsed->exit_code;
  SetLogLevel(LogLevelFromName(parsed->flags.log_level).value());
  RouteGrpcLog();
  at::set_num_interop_threads(1);

  Program program(parsed->flags);
  if (const absl::Status started = program.Start(); !started.ok()) {
    std::cerr << "stagecoach-worker: " << started.message() << std::endl;
    std::_Exit(kExitConfiguration);
  }
  return program.Run(termination);
}

}  // namespace
}  // namespace stagecoach

int main(int argc, char** argv) {
  stagecoach::ConfigureAllocator();
  absl::InitializeSymbolizer(argv[0]);
  absl::InstallFailureSignalHandler({});
  stagecoach::Termination termination;
  return stagecoach::Main({argv + 1, argv + argc}, termination);
}

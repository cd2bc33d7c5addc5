#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/child_process.h"
#include "client/interrupt.h"
#include "client/supervised_child.h"
#include "core/base/clock.h"
#include "core/base/thread_executor.h"

namespace stagecoach {

// A coordinator and workers as child processes on loopback, on ports that the
// system chooses. Each is started again when it ends. No child outlives this
// process, however it ends.
//
// Thread-confined to whoever starts it.
class LocalCluster {
 public:
  struct Options {
    std::filesystem::path programs;  // folder of the other programs
    std::filesystem::path state;     // folder, made where it is missing
    int workers = 2;
    int slots = 1;  // of each
  };
  // Called once, on a thread of the cluster's, when a child cannot be kept
  // running; says which, and how its log ends.
  using Failed = std::function<void(absl::Status)>;

  // Returns once the coordinator listens. `interrupt` ends the wait with
  // kCancelled; kInvalidArgument when programs or folders are not usable;
  // kInternal when the coordinator does not come up.
  static absl::StatusOr<std::unique_ptr<LocalCluster>> Start(
      const Options& options, const Clock& clock, Interrupt& interrupt,
      Failed failed);

  ~LocalCluster();  // stops

  // Ends every child: kindly, then after a few seconds by force. Returns when
  // none is left.
  void Stop();

  const std::string& coordinator_address() const { return address_; }

 private:
  LocalCluster(Options options, const Clock& clock, Failed failed);

  absl::Status CheckPrograms() const;
  absl::Status MakeFolders() const;
  SupervisedChild& Add(const std::string& name,
                       std::vector<std::string> command);
  std::vector<std::string> CoordinatorCommand(int port) const;
  std::vector<std::string> WorkerCommand(int worker) const;
  absl::StatusOr<int> AwaitPort(Interrupt& interrupt);
  void OnGivenUp(const std::string& name, absl::Status why);

  std::filesystem::path PortFile() const;
  std::filesystem::path LogOf(const std::string& name) const;

  const Options options_;
  const Clock& clock_;
  const Failed failed_;
  const Lifeline lifeline_;
  std::string address_;
  Interrupt gave_up_;  // an event: a child cannot be kept running
  absl::Status why_;   // of the first; read once gave_up_ was triggered
  std::vector<std::unique_ptr<SupervisedChild>> children_;
  ThreadExecutor executor_;  // destroyed first: its tasks use the rest
};

// The last `lines` lines of a log file, for error messages; empty if there are
// none.
std::vector<std::string> TailOf(const std::filesystem::path& log, size_t lines);

}  // namespace stagecoach

#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/mutex.h"

namespace stagecoach {

// The writing end of a pipe whose reading end children inherit: the system
// closes it however this process ends, and the children see that. (A signal on
// the death of the parent would come when the spawning *thread* ends.)
//
// Immutable.
class Lifeline {
 public:
  Lifeline();
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  int reading_end() const { return reading_; }

 private:
  int reading_ = -1;
  int writing_ = -1;
};

// How a process ended.
struct ExitStatus {
  int code = 0;    // of exit(); meaningless when a signal ended it
  int signal = 0;  // 0: it exited

  std::string ToString() const;  // "exit code 2", "signal 9 (Killed)"
};

// A child process, in a process group of its own so that Ctrl-C in the terminal
// does not reach it, with its output in a file.
//
// Thread-safe.
class ChildProcess {
 public:
  // The child finds the lifeline's reading end here.
  static constexpr int kLifelineFd = 3;

  struct Options {
    std::vector<std::string> command;  // the program's path first
    std::string log;                   // file that stdout and stderr go to
  };
  using Exited = std::function<void(const ExitStatus&)>;

  // `exited` is called once, on a thread of the child's. kInvalidArgument when
  // the program or the log file cannot be opened. `lifeline` outlives the call.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const Options& options, const Lifeline& lifeline, Exited exited);

  // Kills the child if it still runs, and waits for `exited` to return.
  ~ChildProcess();

  // Sends a signal, unless the child has ended.
  void Signal(int signal);

  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, Exited exited);

  const pid_t pid_;
  Mutex mutex_;
  bool reaped_ ABSL_GUARDED_BY(mutex_) = false;  // the id may be another's
  std::thread waiter_;
};

}  // namespace stagecoach

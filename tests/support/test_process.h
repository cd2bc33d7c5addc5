#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace stagecoach {

// A program that a test starts and watches. Its output is kept; waiting ends
// as soon as what is awaited happens. Killed, with its process group, when this
// object goes.
//
// Thread-confined.
class TestProcess {
 public:
  struct Options {
    std::vector<std::string> command;  // the program's path first
    // "NAME=value", besides those of this process.
    std::vector<std::string> environment = {};
  };

  // Ends the test program when it cannot be started.
  explicit TestProcess(const Options& options);
  ~TestProcess();
  TestProcess(const TestProcess&) = delete;
  TestProcess& operator=(const TestProcess&) = delete;

  // Whether `text` appears in stdout or stderr before the process ends and
  // before `timeout`.
  bool AwaitOutput(const std::string& text,
                   absl::Duration timeout = absl::Minutes(2));

  // The exit code, or minus the signal that ended it; none after `timeout`.
  std::optional<int> AwaitExit(absl::Duration timeout = absl::Minutes(2));

  void Signal(int signal);

  pid_t pid() const { return pid_; }
  const std::string& out() const { return out_.text; }
  const std::string& err() const { return err_.text; }

 private:
  struct Output {
    int fd = -1;
    std::string text;
  };

  // Waits for output or the end, at most until the deadline; false then.
  bool Pump(absl::Time deadline);
  static void ReadAll(Output& output);

  pid_t pid_ = 0;
  int pid_fd_ = -1;  // readable once the process has ended
  Output out_;
  Output err_;
  std::optional<int> exit_;
};

// Processes whose command line contains `text`, but for this one.
std::vector<pid_t> ProcessesWith(const std::string& text);

// Children of a process whose command line contains `text`.
std::vector<pid_t> ChildrenOf(pid_t parent, const std::string& text);

// Whether all of them end before `timeout`.
bool AwaitEndOf(const std::vector<pid_t>& processes,
                absl::Duration timeout = absl::Seconds(30));

}  // namespace stagecoach

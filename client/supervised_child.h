#pragma once

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "client/child_process.h"
#include "client/restart_policy.h"
#include "core/base/clock.h"
#include "core/base/executor.h"

namespace stagecoach {

// A child process that is started again when it ends, as compose and Kubernetes
// do, until it is stopped.
//
// Thread-confined to its executor, the constructor excepted.
class SupervisedChild {
 public:
  struct Seams {
    Executor& executor;
    const Clock& clock;
    const Lifeline& lifeline;
    // Called once, should it be hopeless: the program reports a configuration
    // error (exit code 2), cannot be started, or keeps dying.
    std::function<void(absl::Status)> given_up;
  };

  // `name` is for messages. Nothing runs on the executor when it is destroyed.
  SupervisedChild(std::string name, ChildProcess::Options options, Seams seams);

  void Start();

  // What it is started with the next time.
  void SetCommand(std::vector<std::string> command);

  // Starts it no more, and ends it: SIGTERM, then SIGKILL after `patience`.
  // `stopped` is called when it has ended.
  void Stop(absl::Duration patience, std::function<void()> stopped);

 private:
  void OnExit(const ExitStatus& status);
  void GiveUp(const std::string& why);

  const std::string name_;
  ChildProcess::Options options_;
  const Seams seams_;
  RestartPolicy policy_;
  std::unique_ptr<ChildProcess> process_;
  absl::Duration started_;
  bool stopping_ = false;
  std::function<void()> stopped_;
};

}  // namespace stagecoach

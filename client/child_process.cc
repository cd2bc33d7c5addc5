#include "client/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace stagecoach {
namespace {

// Whatever this process blocks or ignores, the child starts afresh.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSIGDEF |
                                               POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

class FileActions {
 public:
  FileActions(const std::string& log, int lifeline) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, log.c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0644);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, lifeline,
                                     ChildProcess::kLifelineFd);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

ExitStatus StatusFrom(int status) {
  if (WIFSIGNALED(status)) return {.signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status)};
}

// Waits without reaping, so that the id stays the child's.
void AwaitEnd(pid_t pid) {
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 &&
         errno == EINTR) {
  }
}

}  // namespace

Lifeline::Lifeline() {
  int ends[2] = {-1, -1};
  SC_CHECK(pipe2(ends, O_CLOEXEC) == 0, "file descriptors are left");
  reading_ = ends[0];
  writing_ = ends[1];
}

Lifeline::~Lifeline() {
  close(reading_);
  close(writing_);
}

std::string ExitStatus::ToString() const {
  if (signal == 0) return absl::StrCat("exit code ", code);
  return absl::StrCat("signal ", signal, " (", strsignal(signal), ")");
}

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const Options& options, const Lifeline& lifeline, Exited exited) {
  std::vector<std::string> words = options.command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  const SpawnAttributes attributes;
  const FileActions actions(options.log, lifeline.reading_end());
  pid_t pid = 0;
  const int error = posix_spawn(&pid, words.front().c_str(), actions.get(),
                                attributes.get(), arguments.data(), environ);
  if (error != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot start ", words.front(), " with its output in ",
                     options.log, ": ", strerror(error)));
  }
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(pid, std::move(exited)));
}

ChildProcess::ChildProcess(pid_t pid, Exited exited)
    : pid_(pid), waiter_([this, exited = std::move(exited)] {
        AwaitEnd(pid_);
        int status = 0;
        {
          const MutexLock lock(mutex_);
          waitpid(pid_, &status, 0);
          reaped_ = true;
        }
        exited(StatusFrom(status));
      }) {}

ChildProcess::~ChildProcess() {
  Signal(SIGKILL);
  waiter_.join();
}

void ChildProcess::Signal(int signal) {
  const MutexLock lock(mutex_);
  if (!reaped_) kill(pid_, signal);
}

}  // namespace stagecoach

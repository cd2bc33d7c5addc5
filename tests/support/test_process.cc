#include "tests/support/test_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "core/base/check.h"

namespace stagecoach {
namespace {

int OpenPidFd(pid_t pid) {
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
}

int MillisecondsUntil(absl::Time deadline) {
  const absl::Duration left = deadline - absl::Now();
  return static_cast<int>(
      std::clamp<int64_t>(absl::ToInt64Milliseconds(left) + 1, 0, 600'000));
}

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> Environment(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    all.emplace_back(*entry);
  }
  return all;
}

// The words of a process, separated by blanks; empty when it is gone.
std::string CommandOf(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/cmdline"));
  std::string words(std::istreambuf_iterator<char>(file), {});
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

// The field after the state in /proc/PID/stat.
pid_t ParentOf(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return 0;
  const std::vector<std::string> fields =
      absl::StrSplit(text.substr(end_of_name + 2), ' ');
  int parent = 0;
  return fields.size() > 1 && absl::SimpleAtoi(fields[1], &parent) ? parent : 0;
}

std::vector<pid_t> AllProcesses() {
  std::vector<pid_t> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    int pid = 0;
    if (absl::SimpleAtoi(entry.path().filename().string(), &pid)) {
      all.push_back(pid);
    }
  }
  return all;
}

}  // namespace

TestProcess::TestProcess(const Options& options) {
  int out[2] = {-1, -1};
  int err[2] = {-1, -1};
  SC_CHECK(pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0,
           "file descriptors are left");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                   O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);

  std::vector<std::string> command = options.command;
  std::vector<std::string> environment = Environment(options.environment);
  const int error =
      posix_spawn(&pid_, command.front().c_str(), &actions, &attributes,
                  Pointers(command).data(), Pointers(environment).data());
  SC_CHECK(error == 0, "the program under test was built");
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  out_.fd = out[0];
  err_.fd = err[0];
  fcntl(out_.fd, F_SETFL, O_NONBLOCK);
  fcntl(err_.fd, F_SETFL, O_NONBLOCK);
  pid_fd_ = OpenPidFd(pid_);
}

TestProcess::~TestProcess() {
  if (!exit_.has_value()) {
    kill(-pid_, SIGKILL);
    AwaitExit();
  }
  close(out_.fd);
  close(err_.fd);
  close(pid_fd_);
}

void TestProcess::ReadAll(Output& output) {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t got = read(output.fd, buffer.data(), buffer.size());
    if (got <= 0) return;
    output.text.append(buffer.data(), static_cast<size_t>(got));
  }
}

bool TestProcess::Pump(absl::Time deadline) {
  std::array<pollfd, 3> fds = {
      {{out_.fd, POLLIN, 0}, {err_.fd, POLLIN, 0}, {pid_fd_, POLLIN, 0}}};
  const int ready = poll(fds.data(), fds.size(), MillisecondsUntil(deadline));
  if (ready < 0 && errno == EINTR) return true;
  ReadAll(out_);
  ReadAll(err_);
  if ((fds[2].revents & POLLIN) != 0) {
    int status = 0;
    waitpid(pid_, &status, 0);
    exit_ = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }
  return ready > 0;
}

bool TestProcess::AwaitOutput(const std::string& text, absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  const auto appeared = [&] {
    return out_.text.find(text) != std::string::npos ||
           err_.text.find(text) != std::string::npos;
  };
  while (!appeared() && !exit_.has_value()) {
    if (!Pump(deadline)) break;
  }
  return appeared();
}

std::optional<int> TestProcess::AwaitExit(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  while (!exit_.has_value()) {
    if (!Pump(deadline)) break;
  }
  return exit_;
}

void TestProcess::Signal(int signal) {
  if (!exit_.has_value()) kill(pid_, signal);
}

std::vector<pid_t> ProcessesWith(const std::string& text) {
  std::vector<pid_t> found;
  for (const pid_t pid : AllProcesses()) {
    if (pid == getpid()) continue;
    if (CommandOf(pid).find(text) != std::string::npos) found.push_back(pid);
  }
  return found;
}

std::vector<pid_t> ChildrenOf(pid_t parent, const std::string& text) {
  std::vector<pid_t> children;
  for (const pid_t pid : ProcessesWith(text)) {
    if (ParentOf(pid) == parent) children.push_back(pid);
  }
  return children;
}

bool AwaitEndOf(const std::vector<pid_t>& processes, absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  for (const pid_t pid : processes) {
    const int fd = OpenPidFd(pid);
    if (fd < 0) continue;  // it is gone
    pollfd ended = {fd, POLLIN, 0};
    const int ready = poll(&ended, 1, MillisecondsUntil(deadline));
    close(fd);
    if (ready == 0) return false;
  }
  return true;
}

}  // namespace stagecoach

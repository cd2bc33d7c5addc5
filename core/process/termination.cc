#include "core/process/termination.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/base/check.h"

namespace stagecoach {
namespace {

sigset_t Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

// Whether the other end of the pipe was closed; what is written is dropped.
bool AtEnd(int fd) {
  std::array<char, 256> ignored;
  const ssize_t got = read(fd, ignored.data(), ignored.size());
  return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

std::string ReadSignal(int fd) {
  signalfd_siginfo info = {};
  if (read(fd, &info, sizeof(info)) != sizeof(info)) return "a signal";
  return info.ssi_signo == SIGINT ? "SIGINT" : "SIGTERM";
}

std::string ReadReason(int fd) {
  std::array<char, 4096> reason;
  const ssize_t got = read(fd, reason.data(), reason.size());
  return got > 0 ? std::string(reason.data(), static_cast<size_t>(got))
                 : "a request";
}

}  // namespace

Termination::Termination() {
  const sigset_t signals = Signals();
  SC_CHECK(pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0,
           "the signals can be blocked");
  signal(SIGPIPE, SIG_IGN);
  // A second one ends the process without the trace of a crash.
  signal(SIGTERM, SIG_DFL);
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC);
  int ends[2] = {-1, -1};
  SC_CHECK(pipe2(ends, O_CLOEXEC) == 0 && signals_ >= 0,
           "file descriptors are left when the process starts");
  requests_ = ends[0];
  request_ = ends[1];
}

Termination::~Termination() {
  close(request_);
  close(requests_);
  close(signals_);
}

std::string Termination::Wait(int parent_fd) {
  // poll() passes over negative descriptors.
  std::array<pollfd, 3> fds = {
      {{signals_, POLLIN, 0}, {requests_, POLLIN, 0}, {parent_fd, POLLIN, 0}}};
  std::string reason;
  while (reason.empty()) {
    if (poll(fds.data(), fds.size(), /*timeout=*/-1) < 0) continue;
    if (fds[0].revents != 0) {
      reason = ReadSignal(signals_);
    } else if (fds[1].revents != 0) {
      reason = ReadReason(requests_);
    } else if (fds[2].revents != 0 && AtEnd(parent_fd)) {
      reason = kParentEnded;
    }
  }
  const sigset_t signals = Signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  return reason;
}

void Termination::Request(const std::string& reason) {
  // A full pipe holds a reason already.
  [[maybe_unused]] const ssize_t written =
      write(request_, reason.data(), reason.size());
}

}  // namespace stagecoach

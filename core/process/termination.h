#pragma once

#include <string>

namespace stagecoach {

// How a program of ours is told to end: SIGTERM, SIGINT, or the end of the
// process that started it.
//
// Make one first thing in main(), before any thread exists: the signals are
// blocked in this thread and in those that it starts, and SIGPIPE is ignored.
// A program that this one executes inherits that, so whoever spawns one resets
// the child's signals.
//
// Wait() is for main()'s thread; Request() is thread-safe.
class Termination {
 public:
  static constexpr char kParentEnded[] = "the parent process ended";

  Termination();
  ~Termination();
  Termination(const Termination&) = delete;
  Termination& operator=(const Termination&) = delete;

  // Returns when the process should end, and says why: "SIGTERM", "SIGINT",
  // kParentEnded, or what Request() was given. From then on a signal ends the
  // process at once, for a user who will not wait.
  //
  // `parent_fd` is the reading end of a pipe whose writing end only the parent
  // holds, and never writes to: the system closes it however the parent ends.
  // It is not closed here. -1: there is no parent to watch.
  std::string Wait(int parent_fd);

  // Makes Wait() return; the first reason counts.
  void Request(const std::string& reason);

 private:
  int signals_;   // a signalfd
  int requests_;  // reading end of a pipe of reasons
  int request_;   // its writing end
};

}  // namespace stagecoach

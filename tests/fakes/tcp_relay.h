#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"

namespace stagecoach {

// A network between a caller and a server on the loopback device, which a test
// can spoil: what comes to its address goes on to the target, and back.
//
// Thread-safe.
class TcpRelay {
 public:
  // `target` is "127.0.0.1:port".
  explicit TcpRelay(const std::string& target);
  ~TcpRelay();

  std::string address() const;

  // Closes all connections in the middle, as when a process dies.
  void Cut();

  // Forwards nothing from now on, and closes nothing: a cable is pulled.
  void Freeze();

 private:
  // One connection: what the caller and what the server holds.
  struct Connection {
    int near = -1;
    int far = -1;
    std::vector<std::thread> pumps;
  };

  void AcceptAll();
  void Pump(int from, int to);
  bool AwaitFlow();

  int target_port_ = 0;
  int listener_ = -1;
  int port_ = 0;
  Mutex mutex_;
  bool frozen_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Connection> connections_ ABSL_GUARDED_BY(mutex_);
  std::thread acceptor_;
};

}  // namespace stagecoach

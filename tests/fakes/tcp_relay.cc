#include "tests/fakes/tcp_relay.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/base/check.h"

namespace stagecoach {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

int Dial(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address),
              sizeof(address)) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}

}  // namespace

TcpRelay::TcpRelay(const std::string& target) {
  SC_CHECK(
      absl::SimpleAtoi(target.substr(target.rfind(':') + 1), &target_port_),
      target);
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  SC_CHECK(bind(listener_, generic, size) == 0 && listen(listener_, 16) == 0 &&
               getsockname(listener_, generic, &size) == 0,
           "no free port on the loopback device");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { AcceptAll(); });
}

TcpRelay::~TcpRelay() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
  }
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  Cut();
  std::vector<Connection> connections;
  {
    const MutexLock lock(mutex_);
    connections.swap(connections_);
  }
  for (Connection& connection : connections) {
    for (std::thread& pump : connection.pumps) pump.join();
    close(connection.near);
    close(connection.far);
  }
  close(listener_);
}

std::string TcpRelay::address() const {
  return absl::StrCat("127.0.0.1:", port_);
}

void TcpRelay::AcceptAll() {
  while (true) {
    const int near = accept(listener_, nullptr, nullptr);
    if (near < 0) return;
    const int far = Dial(target_port_);
    if (far < 0) {
      close(near);
      continue;
    }
    Connection connection = {.near = near, .far = far};
    connection.pumps.emplace_back([this, near, far] { Pump(near, far); });
    connection.pumps.emplace_back([this, near, far] { Pump(far, near); });
    const MutexLock lock(mutex_);
    connections_.push_back(std::move(connection));
  }
}

void TcpRelay::Pump(int from, int to) {
  std::vector<char> block(1 << 16);
  while (true) {
    const ssize_t got = recv(from, block.data(), block.size(), 0);
    if (got <= 0 || !AwaitFlow()) break;
    ssize_t sent = 0;
    while (sent < got) {
      const ssize_t part = send(to, block.data() + sent,
                                static_cast<size_t>(got - sent), MSG_NOSIGNAL);
      if (part <= 0) break;
      sent += part;
    }
    if (sent < got) break;
  }
  shutdown(to, SHUT_WR);
}

// False when the relay ends.
bool TcpRelay::AwaitFlow() {
  const MutexLock lock(mutex_);
  const auto flows = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !frozen_ || stopping_;
  };
  mutex_.AwaitWithTimeout(absl::Condition(&flows), absl::Minutes(5));
  return !stopping_;
}

void TcpRelay::Cut() {
  const MutexLock lock(mutex_);
  for (const Connection& connection : connections_) {
    shutdown(connection.near, SHUT_RDWR);
    shutdown(connection.far, SHUT_RDWR);
  }
}

void TcpRelay::Freeze() {
  const MutexLock lock(mutex_);
  frozen_ = true;
}

}  // namespace stagecoach

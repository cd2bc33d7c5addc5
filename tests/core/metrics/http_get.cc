#include "tests/core/metrics/http_get.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace stagecoach {

std::string HttpGet(int port, const std::string& path,
                    const std::string& method) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) ==
      0) {
    const std::string request =
        method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    std::array<char, 4096> buffer;
    ssize_t got = send(fd, request.data(), request.size(), MSG_NOSIGNAL);
    while ((got = recv(fd, buffer.data(), buffer.size(), 0)) > 0) {
      answer.append(buffer.data(), static_cast<size_t>(got));
    }
  }
  close(fd);
  return answer;
}

}  // namespace stagecoach

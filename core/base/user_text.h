#pragma once

#include <string>

namespace stagecoach {

// What is wrong with an address that a user gave, in words; empty for
// HOST:PORT, where the host is a name, an IPv4 address or an IPv6 address in
// brackets, and the port is 1 to 65535.
std::string HostPortError(const std::string& address);

// What is wrong with a worker's name; empty for 1 to 100 letters, digits, '-',
// '_' and '.'.
std::string WorkerNameError(const std::string& name);

}  // namespace stagecoach

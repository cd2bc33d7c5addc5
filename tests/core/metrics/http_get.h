#pragma once

#include <string>

namespace stagecoach {

// The whole answer, headers included, of an HTTP server on this machine; empty
// when there is none.
std::string HttpGet(int port, const std::string& path,
                    const std::string& method = "GET");

}  // namespace stagecoach

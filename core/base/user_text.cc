#include "core/base/user_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace stagecoach {
namespace {

constexpr size_t kLongestName = 100;
constexpr size_t kLongestHost = 253;

bool IsNameCharacter(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' ||
         c == '_' || c == '.';
}

bool IsName(absl::string_view text, size_t longest) {
  return !text.empty() && text.size() <= longest &&
         std::all_of(text.begin(), text.end(), &IsNameCharacter);
}

bool IsHost(absl::string_view host) {
  if (host.size() < 4 || host.front() != '[' || host.back() != ']') {
    return IsName(host, kLongestHost);
  }
  host.remove_prefix(1);
  host.remove_suffix(1);
  // With the zone of a link-local address: fe80::1%eth0.
  return std::all_of(host.begin(), host.end(), [](char c) {
    return IsNameCharacter(c) || c == ':' || c == '%';
  });
}

bool IsPort(absl::string_view port) {
  int number = 0;
  return std::all_of(port.begin(), port.end(), absl::ascii_isdigit) &&
         absl::SimpleAtoi(port, &number) && number >= 1 && number <= 65535;
}

std::string Quoted(const std::string& text) {
  return absl::StrCat("'", absl::Utf8SafeCHexEscape(text), "'");
}

}  // namespace

std::string HostPortError(const std::string& address) {
  const absl::string_view text = address;
  const size_t colon = text.rfind(':');
  if (colon != absl::string_view::npos && IsHost(text.substr(0, colon)) &&
      IsPort(text.substr(colon + 1))) {
    return "";
  }
  return absl::StrCat(Quoted(address),
                      " must be HOST:PORT, the port 1 to 65535; e.g. "
                      "127.0.0.1:7070");
}

std::string WorkerNameError(const std::string& name) {
  if (IsName(name, kLongestName)) return "";
  return absl::StrCat(Quoted(name.substr(0, kLongestName)),
                      " must be 1 to 100 letters, digits, '-', '_' and '.'; "
                      "e.g. worker-0");
}

}  // namespace stagecoach

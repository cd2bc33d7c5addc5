#include "core/process/state_home.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

std::string Variable(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

}  // namespace

std::string StateHome() {
  const std::string home = absl::StrCat(Variable("HOME", "."), "/.local/state");
  return absl::StrCat(Variable("XDG_STATE_HOME", home), "/stagecoach");
}

}  // namespace stagecoach

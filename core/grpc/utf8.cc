#include "core/grpc/utf8.h"

#include <array>
#include <cstdint>

namespace stagecoach {
namespace {

// A form of character: the leading byte's fixed bits, the bytes that follow,
// and the least code that needs this form.
struct Form {
  uint8_t mask;
  uint8_t lead;
  size_t following;
  uint32_t least;
};

constexpr std::array<Form, 4> kForms = {{
    {0x80, 0x00, 0, 0x0},
    {0xe0, 0xc0, 1, 0x80},
    {0xf0, 0xe0, 2, 0x800},
    {0xf8, 0xf0, 3, 0x10000},
}};

bool IsAllowed(uint32_t code) {
  if (code == '\t' || code == '\n' || code == '\r') return true;
  const bool control = code < 0x20 || code == 0x7f;
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return !control && !surrogate && code <= 0x10ffff;
}

// The length of the character that `text` starts with; 0 where it is none.
size_t CharacterLength(absl::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  for (const Form& form : kForms) {
    if ((first & form.mask) != form.lead) continue;
    if (text.size() <= form.following) return 0;
    uint32_t code = first & static_cast<uint8_t>(~form.mask);
    for (size_t i = 1; i <= form.following; ++i) {
      const auto next = static_cast<uint8_t>(text[i]);
      if ((next & 0xc0) != 0x80) return 0;
      code = code << 6 | (next & 0x3f);
    }
    return code >= form.least && IsAllowed(code) ? form.following + 1 : 0;
  }
  return 0;
}

}  // namespace

size_t ValidUtf8Prefix(absl::string_view text) {
  size_t valid = 0;
  while (valid < text.size()) {
    const size_t length = CharacterLength(text.substr(valid));
    if (length == 0) return valid;
    valid += length;
  }
  return valid;
}

}  // namespace stagecoach

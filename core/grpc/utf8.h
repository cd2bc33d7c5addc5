#pragma once

#include <cstddef>

#include "absl/strings/string_view.h"

namespace stagecoach {

// How many bytes at the start of `text` are whole characters of UTF-8, control
// characters but for tab, line feed and carriage return left out.
size_t ValidUtf8Prefix(absl::string_view text);

}  // namespace stagecoach

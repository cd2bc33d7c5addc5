#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace stagecoach {

// Numbers as people read them on a line. Pure.
std::string Percent(double share, int decimals = 0);  // 0.873 -> "87 %"
std::string Bytes(int64_t bytes);                     // "12.4 MB"
std::string Minutes(absl::Duration duration);         // "02:03", "1:02:03"
std::string Count(int64_t number);                    // "1,234,567"

// `text` in exactly `width` columns; what is too long ends in "~".
std::string Left(absl::string_view text, size_t width);
std::string Right(absl::string_view text, size_t width);

// `text` in lines of at most `width` columns, broken at spaces where it can be.
std::vector<std::string> Wrapped(absl::string_view text, size_t width);

}  // namespace stagecoach

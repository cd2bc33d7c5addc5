#include "core/job/value.h"

#include <cmath>
#include <cstdint>

namespace stagecoach {

std::string Shown(const Value& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    return std::isnan(value.get<double>()) ? "NaN" : "infinity";
  }
  constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    const bool whole = number == std::trunc(number) &&
                       std::abs(number) <= kLargestExactInteger;
    // 2, as it was written, and not 2.0.
    if (whole) return std::to_string(static_cast<int64_t>(number));
  }
  constexpr size_t kLongest = 60;
  // In ASCII, so that the cut splits no character; bytes that are no text are
  // replaced.
  std::string text = value.dump(-1, ' ', true, Value::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace stagecoach

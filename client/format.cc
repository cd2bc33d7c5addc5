#include "client/format.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace stagecoach {

std::string Percent(double share, int decimals) {
  return absl::StrFormat("%.*f %%", decimals, share * 100);
}

std::string Bytes(int64_t bytes) {
  constexpr std::array kUnits = {"bytes", "kB", "MB", "GB", "TB"};
  double number = static_cast<double>(bytes);
  size_t unit = 0;
  while (number >= 1000 && unit + 1 < kUnits.size()) {
    number /= 1000;
    ++unit;
  }
  return absl::StrFormat("%.*f %s", unit == 0 ? 0 : 1, number, kUnits[unit]);
}

std::string Minutes(absl::Duration duration) {
  const int64_t seconds = std::max<int64_t>(0, absl::ToInt64Seconds(duration));
  const int64_t hours = seconds / 3600;
  const std::string rest =
      absl::StrFormat("%02d:%02d", seconds / 60 % 60, seconds % 60);
  return hours == 0 ? rest : absl::StrCat(hours, ":", rest);
}

std::string Count(int64_t number) {
  std::string digits = absl::StrCat(number);
  const size_t first = number < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string Left(absl::string_view text, size_t width) {
  if (text.size() > width) {
    return absl::StrCat(text.substr(0, width - 1), "~");
  }
  return absl::StrCat(text, std::string(width - text.size(), ' '));
}

std::string Right(absl::string_view text, size_t width) {
  if (text.size() > width) return Left(text, width);
  return absl::StrCat(std::string(width - text.size(), ' '), text);
}

std::vector<std::string> Wrapped(absl::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    const size_t space = text.rfind(' ', width);
    const bool broken = space == absl::string_view::npos || space == 0;
    lines.emplace_back(text.substr(0, broken ? width : space));
    text.remove_prefix(broken ? width : space + 1);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace stagecoach

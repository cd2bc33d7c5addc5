#include <cstdlib>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "core/grpc/yaml_tree.h"

namespace stagecoach {
namespace {

// Takes the digits off the front; how many there were.
size_t ConsumeDigits(absl::string_view* text) {
  size_t count = 0;
  while (count < text->size() &&
         absl::ascii_isdigit(static_cast<unsigned char>((*text)[count]))) {
    ++count;
  }
  text->remove_prefix(count);
  return count;
}

void ConsumeSign(absl::string_view* text) {
  if (!absl::ConsumePrefix(text, "-")) absl::ConsumePrefix(text, "+");
}

bool IsInteger(absl::string_view text) {
  ConsumeSign(&text);
  return ConsumeDigits(&text) > 0 && text.empty();
}

// [-+]? (digits (. digits*)? | . digits) ([eE] [-+]? digits)?
bool IsFloat(absl::string_view text) {
  ConsumeSign(&text);
  size_t digits = ConsumeDigits(&text);
  if (absl::ConsumePrefix(&text, ".")) digits += ConsumeDigits(&text);
  if (digits == 0) return false;
  if (text.empty()) return true;
  if (!absl::ConsumePrefix(&text, "e") && !absl::ConsumePrefix(&text, "E")) {
    return false;
  }
  ConsumeSign(&text);
  return ConsumeDigits(&text) > 0 && text.empty();
}

// A number in base 8 or 16, after its prefix; null where it is none.
Value PrefixedInteger(absl::string_view digits, int base) {
  uint64_t number = 0;
  const bool plain = !digits.empty() && digits[0] != '-' && digits[0] != '+' &&
                     digits[0] != 'x' && digits[0] != 'X';
  if (!plain || digits.size() > 15) return {};
  const std::string text(digits);
  char* end = nullptr;
  number = std::strtoull(text.c_str(), &end, base);
  return *end == '\0' ? Value(number) : Value();
}

Value Number(const std::string& text) {
  if (IsInteger(text)) {
    int64_t number = 0;
    if (absl::SimpleAtoi(text, &number)) return number;
    uint64_t large = 0;
    if (absl::SimpleAtoi(text, &large)) return large;
  }
  double number = 0;
  if (IsFloat(text) && absl::SimpleAtod(text, &number)) return number;
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, "0o")) return PrefixedInteger(rest, 8);
  if (absl::ConsumePrefix(&rest, "0x")) return PrefixedInteger(rest, 16);
  ConsumeSign(&rest);
  if (rest == ".inf" || rest == ".Inf" || rest == ".INF") {
    const double infinity = std::numeric_limits<double>::infinity();
    return absl::StartsWith(text, "-") ? -infinity : infinity;
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return {};
}

}  // namespace

Value ScalarValue(const YamlNode& scalar) {
  const std::string& text = scalar.text;
  if (!scalar.plain) return text;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  Value number = Number(text);
  return number.is_null() ? Value(text) : number;
}

}  // namespace stagecoach

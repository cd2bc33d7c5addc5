#include "core/job/amount.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace stagecoach {
namespace {

// Beyond this a count of steps would lose digits on its way through JSON.
constexpr double kMostSteps = 9007199254740992.0;  // 2^53

struct UnitWord {
  absl::string_view word;
  Amount::Unit unit;
};

// Longer words first: "epochs" ends in no other one.
constexpr std::array<UnitWord, 5> kWords = {{
    {"epochs", Amount::Unit::kEpochs},
    {"epoch", Amount::Unit::kEpochs},
    {"steps", Amount::Unit::kSteps},
    {"step", Amount::Unit::kSteps},
    {"%", Amount::Unit::kPercent},
}};

absl::Status NoAmount(const Value& value) {
  return absl::InvalidArgumentError(
      absl::StrCat(Shown(value), " is no amount; write \"5%\", \"1 epoch\", ",
                   "\"100 steps\" or a number of steps"));
}

// Digits with at most one point: no sign, no exponent, no "nan".
bool ParseDecimal(absl::string_view text, double* number) {
  const bool plain =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '.';
      });
  return plain && absl::SimpleAtod(text, number);
}

absl::StatusOr<Amount> ParseText(const Value& value) {
  const std::string written = value.get<std::string>();
  absl::string_view text = absl::StripAsciiWhitespace(written);
  Amount amount;
  for (const UnitWord& known : kWords) {
    if (absl::ConsumeSuffix(&text, known.word)) {
      amount.unit = known.unit;
      break;
    }
  }
  text = absl::StripTrailingAsciiWhitespace(text);
  if (!ParseDecimal(text, &amount.number)) return NoAmount(value);
  return amount;
}

absl::Status CheckAmount(const Amount& amount, const Value& value) {
  if (amount.unit == Amount::Unit::kPercent) {
    if (amount.number <= 100) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat(Shown(value), " is more than the whole job; a percentage ",
                     "is within 0% to 100%"));
  }
  if (amount.number >= 0 && amount.number <= kMostSteps &&
      amount.number == std::floor(amount.number)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(Shown(value),
                   " is no whole number of steps or epochs; e.g. \"1 epoch\""));
}

}  // namespace

absl::StatusOr<Amount> ParseAmount(const Value& value) {
  absl::StatusOr<Amount> amount = NoAmount(value);
  if (value.is_number()) amount = Amount{.number = value.get<double>()};
  if (value.is_string()) amount = ParseText(value);
  if (!amount.ok()) return amount;
  if (absl::Status status = CheckAmount(*amount, value); !status.ok()) {
    return status;
  }
  return amount;
}

std::string ToString(const Amount& amount) {
  // The shortest digits that read back as the same number.
  std::string number = Value(amount.number).dump();
  const std::string whole = absl::StrCat(static_cast<int64_t>(amount.number));
  const bool is_whole = amount.number == std::floor(amount.number);
  const char* plural = amount.number == 1 ? "" : "s";
  switch (amount.unit) {
    case Amount::Unit::kPercent:
      return absl::StrCat(is_whole ? whole : number, "%");
    case Amount::Unit::kEpochs:
      return absl::StrCat(whole, " epoch", plural);
    case Amount::Unit::kSteps:
      return absl::StrCat(whole, " step", plural);
  }
  return number;
}

int64_t StepsOf(const Amount& amount, int64_t steps_per_epoch, int64_t steps) {
  double result = amount.number;
  if (amount.unit == Amount::Unit::kPercent) {
    result = std::floor(static_cast<double>(steps) * amount.number / 100);
  }
  if (amount.unit == Amount::Unit::kEpochs) {
    result = amount.number * static_cast<double>(steps_per_epoch);
  }
  return static_cast<int64_t>(std::min(result, kMostSteps));
}

}  // namespace stagecoach

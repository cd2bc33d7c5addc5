#include "core/metrics/metric_name.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

// `version` and `revision` belong to build_info.
constexpr std::array<absl::string_view, 10> kLabels = {
    "job",  "stage", "worker", "direction", "kind",
    "pass", "state", "reason", "version",   "revision"};

bool IsWord(absl::string_view name) {
  return !name.empty() && absl::ascii_islower(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char letter) {
           return absl::ascii_islower(letter) || absl::ascii_isdigit(letter) ||
                  letter == '_';
         });
}

}  // namespace

std::string NameFault(absl::string_view name, bool is_counter,
                      const Labels& labels) {
  if (!IsWord(name)) {
    return absl::StrCat("\"", name, "\" is not lower case with underscores");
  }
  if (absl::StartsWith(name, "stagecoach")) {
    return absl::StrCat("\"", name, "\" repeats the prefix");
  }
  if (absl::EndsWith(name, "_total") != is_counter) {
    return absl::StrCat("\"", name, "\": counters and only they end in _total");
  }
  for (const auto& [label, value] : labels) {
    if (std::find(kLabels.begin(), kLabels.end(), label) == kLabels.end()) {
      return absl::StrCat("label \"", label, "\" of \"", name,
                          "\" is not on the list");
    }
  }
  return "";
}

}  // namespace stagecoach

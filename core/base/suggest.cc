#include "core/base/suggest.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace stagecoach {
namespace {

// Levenshtein's distance, with one row kept.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestName(absl::string_view word,
                        const std::vector<std::string>& known) {
  size_t nearest = std::max<size_t>(1, word.size() / 3) + 1;
  std::string name;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(word, candidate);
    if (distance < nearest) {
      nearest = distance;
      name = candidate;
    }
  }
  return name;
}

std::string Suggestion(absl::string_view word,
                       const std::vector<std::string>& known) {
  const std::string nearest = NearestName(word, known);
  if (!nearest.empty()) return absl::StrCat("; did you mean '", nearest, "'?");
  return absl::StrCat("; known: ", absl::StrJoin(known, ", "));
}

}  // namespace stagecoach

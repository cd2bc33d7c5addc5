#include "core/base/suggest.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace stagecoach {
namespace {

// Letters inserted, left out, replaced or swapped with their neighbour (the
// optimal string alignment distance), with three rows kept.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::move(last);
    last = std::move(row);
  }
  return last.back();
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

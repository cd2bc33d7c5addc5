#include "client/table.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "client/format.h"

namespace stagecoach {

std::vector<std::string> TableLines(
    const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::vector<std::string> lines;
  for (std::vector<std::string> row : rows) {
    for (size_t i = 0; i + 1 < row.size(); ++i)
      row[i] = Left(row[i], widths[i]);
    lines.push_back(absl::StrJoin(row, "  "));
  }
  return lines;
}

}  // namespace stagecoach

#pragma once

#include <string>
#include <vector>

namespace stagecoach {

// Rows in columns as wide as their widest cell, two spaces apart; the first row
// is the header. Cells are short; the last column is not padded.
std::vector<std::string> TableLines(
    const std::vector<std::vector<std::string>>& rows);

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <filesystem>

namespace stagecoach {

// Writes a data set of noise in the four files that the source `idx` reads:
// images of 3 x 32 x 32 in 10 classes.
void WriteImageFiles(const std::filesystem::path& folder, int64_t train,
                     int64_t test);

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace stagecoach {

// Writes an array of bytes, row-major, in the IDX format of MNIST.
void WriteIdx(const std::filesystem::path& path, const std::vector<int>& shape,
              const std::vector<uint8_t>& bytes);

}  // namespace stagecoach

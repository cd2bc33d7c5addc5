#include "tests/support/idx_writer.h"

#include <fstream>

namespace stagecoach {
namespace {

constexpr int kUnsignedBytes = 0x800;

void WriteNumber(std::ofstream& file, int number) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    file.put(static_cast<char>(number >> shift & 0xff));
  }
}

}  // namespace

void WriteIdx(const std::filesystem::path& path, const std::vector<int>& shape,
              const std::vector<uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary);
  WriteNumber(file, kUnsignedBytes + static_cast<int>(shape.size()));
  for (const int size : shape) WriteNumber(file, size);
  for (const uint8_t byte : bytes) file.put(static_cast<char>(byte));
}

}  // namespace stagecoach

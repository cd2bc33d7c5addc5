#include "tests/bench/image_files.h"

#include <fstream>
#include <random>
#include <vector>

namespace stagecoach {
namespace {

void WriteHeader(std::ofstream& file, const std::vector<int64_t>& sizes) {
  for (const int byte : {0, 0, 8}) file.put(static_cast<char>(byte));
  file.put(static_cast<char>(sizes.size()));
  for (const int64_t size : sizes) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      file.put(static_cast<char>(size >> shift & 0xff));
    }
  }
}

void WriteImages(const std::filesystem::path& path, int64_t count) {
  constexpr int64_t kImageBytes = 3 * 32 * 32;
  std::ofstream file(path, std::ios::binary);
  WriteHeader(file, {count, 3, 32, 32});
  std::mt19937 noise(1);
  for (int64_t i = 0; i < count * kImageBytes; ++i) {
    file.put(static_cast<char>(noise() & 0xff));
  }
}

void WriteClasses(const std::filesystem::path& path, int64_t count) {
  std::ofstream file(path, std::ios::binary);
  WriteHeader(file, {count});
  for (int64_t i = 0; i < count; ++i) file.put(static_cast<char>(i % 10));
}

}  // namespace

void WriteImageFiles(const std::filesystem::path& folder, int64_t train,
                     int64_t test) {
  WriteImages(folder / "train-images-idx3-ubyte", train);
  WriteClasses(folder / "train-labels-idx1-ubyte", train);
  WriteImages(folder / "t10k-images-idx3-ubyte", test);
  WriteClasses(folder / "t10k-labels-idx1-ubyte", test);
}

}  // namespace stagecoach

#include "tests/bench/image_files.h"

#include <random>
#include <string>

#include "tests/support/idx_bytes.h"

namespace stagecoach {
namespace {

void WriteImages(const std::filesystem::path& path, int64_t count) {
  constexpr int64_t kImageBytes = 3 * 32 * 32;
  std::mt19937 noise(1);
  std::string pixels;
  for (int64_t i = 0; i < count * kImageBytes; ++i) {
    pixels.push_back(static_cast<char>(noise() & 0xff));
  }
  WriteIdx(path, {count, 3, 32, 32}, pixels);
}

void WriteClasses(const std::filesystem::path& path, int64_t count) {
  std::string classes;
  for (int64_t i = 0; i < count; ++i) {
    classes.push_back(static_cast<char>(i % 10));
  }
  WriteIdx(path, {count}, classes);
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

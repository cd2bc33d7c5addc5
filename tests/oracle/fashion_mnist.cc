#include "tests/oracle/fashion_mnist.h"

#include <zlib.h>

#include <filesystem>
#include <string>

namespace stagecoach::oracle {
namespace {

const char kFolder[] = "/usr/share/datasets/fashion-mnist/";

std::string Unpacked(const std::string& name) {
  gzFile file = gzopen((kFolder + name).c_str(), "rb");
  std::string bytes;
  std::string part(1 << 20, '\0');
  for (int read = 1; read > 0;) {
    read = gzread(file, part.data(), static_cast<unsigned>(part.size()));
    if (read > 0) bytes.append(part, 0, read);
  }
  gzclose(file);
  return bytes;
}

// The formats' headers: 16 bytes before the pixels, 8 before the labels.
Images Read(const std::string& split) {
  const std::string pixels = Unpacked(split + "-images-idx3-ubyte.gz");
  const std::string labels = Unpacked(split + "-labels-idx1-ubyte.gz");
  Images images{.height = 28, .width = 28};
  images.pixels.assign(pixels.begin() + 16, pixels.end());
  images.labels.assign(labels.begin() + 8, labels.end());
  return images;
}

}  // namespace

Images FashionMnistTraining() { return Read("train"); }

Images FashionMnistTest() { return Read("t10k"); }

Normalisation FashionMnistNormalisation() {
  return {.mean = {0.2860}, .std = {0.3530}};
}

bool HasFashionMnist() {
  return std::filesystem::exists(std::string(kFolder) +
                                 "train-images-idx3-ubyte.gz");
}

}  // namespace stagecoach::oracle

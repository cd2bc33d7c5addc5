#include "tests/support/tiny_job.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "tests/support/idx_bytes.h"

namespace stagecoach {
namespace {

constexpr int kTrain = 64;
constexpr int kTest = 20;
constexpr int kSide = 4;
constexpr int kClasses = 4;

int ClassOf(int image) { return image * 7 % kClasses; }

// Bright in the class's quadrant, with a pattern that differs by image.
int PixelOf(int image, int y, int x) {
  const int quadrant = y / (kSide / 2) * 2 + x / (kSide / 2);
  const int noise = (image * 37 + y * 11 + x * 5) % 60;
  return (quadrant == ClassOf(image) ? 190 : 20) + noise;
}

void WriteImages(const std::filesystem::path& path, int count) {
  std::string pixels;
  for (int image = 0; image < count; ++image) {
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        pixels.push_back(static_cast<char>(PixelOf(image, y, x)));
      }
    }
  }
  WriteIdx(path, {count, kSide, kSide}, pixels);
}

void WriteClasses(const std::filesystem::path& path, int count) {
  std::string classes;
  for (int image = 0; image < count; ++image) {
    classes.push_back(static_cast<char>(ClassOf(image)));
  }
  WriteIdx(path, {count}, classes);
}

}  // namespace

DataFacts TinyFacts() {
  return {.sample = {1, kSide, kSide},
          .train_samples = kTrain,
          .test_samples = kTest,
          .classes = kClasses};
}

void WriteTinyData(const std::filesystem::path& folder) {
  WriteImages(folder / "train-images-idx3-ubyte", kTrain);
  WriteClasses(folder / "train-labels-idx1-ubyte", kTrain);
  WriteImages(folder / "t10k-images-idx3-ubyte", kTest);
  WriteClasses(folder / "t10k-labels-idx1-ubyte", kTest);
}

JobSpec TinySpec(const std::filesystem::path& data, int64_t stages,
                 int64_t epochs) {
  JobSpec spec;
  spec.name = "tiny";
  spec.model = {.name = "mlp", .parameters = {{"sizes", {16, 12, 8, 4}}}};
  spec.data.source = {.name = "idx", .parameters = {{"path", data.string()}}};
  spec.data.batch_size = 8;
  spec.stages = stages;
  spec.optimizer.parameters = {{"momentum", 0.9}};
  spec.epochs = epochs;
  return spec;
}

std::string TinyYaml(const std::filesystem::path& data, int64_t stages,
                     int64_t epochs) {
  return absl::StrCat(
      "name: tiny\n"
      "model:\n"
      "  mlp: {sizes: [16, 12, 8, 4]}\n"
      "data:\n"
      "  idx: {path: ",
      data.string(),
      "}\n"
      "  batch_size: 8\n"
      "method: dsp\n"
      "stages: ",
      stages,
      "\n"
      "optimizer: {sgd: {momentum: 0.9}}\n"
      "epochs: ",
      epochs, "\n");
}

}  // namespace stagecoach

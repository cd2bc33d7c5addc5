#include "core/data/augmentations/random_crop.h"

#include <algorithm>
#include <cstring>

namespace stagecoach {
namespace {

// target[x] = source[x + shift], zero where that is outside. Both may be the
// same row.
void MoveRow(const uint8_t* source, uint8_t* target, int64_t width,
             int64_t shift) {
  const int64_t begin = std::min(width, std::max<int64_t>(0, -shift));
  const int64_t end = std::max(begin, std::min(width, width - shift));
  if (end > begin) {
    std::memmove(target + begin, source + begin + shift,
                 static_cast<size_t>(end - begin));
  }
  std::fill(target, target + begin, uint8_t{0});
  std::fill(target + end, target + width, uint8_t{0});
}

class RandomCrop final : public Augmentation {
 public:
  explicit RandomCrop(int64_t padding) : padding_(padding) {}

  void Apply(const PhiloxWords& words, const Shape& shape,
             absl::Span<uint8_t> image) const override {
    const auto places = static_cast<uint32_t>(2 * padding_ + 1);
    const int64_t down = Below(words[0], places) - padding_;
    const int64_t right = Below(words[1], places) - padding_;
    const int64_t height = shape[1];
    const int64_t width = shape[2];
    for (int64_t channel = 0; channel < shape[0]; ++channel) {
      uint8_t* rows = image.data() + channel * height * width;
      for (int64_t i = 0; i < height; ++i) {
        // In the order in which no row is overwritten before it is read.
        const int64_t y = down >= 0 ? i : height - 1 - i;
        const int64_t from = y + down;
        if (from < 0 || from >= height) {
          std::fill_n(rows + y * width, width, uint8_t{0});
        } else {
          MoveRow(rows + from * width, rows + y * width, width, right);
        }
      }
    }
  }

 private:
  const int64_t padding_;
};

}  // namespace

AugmentationType RandomCropAugmentation() {
  return {
      .declaration = {.name = "random_crop",
                      .help = "Moves the image by a few pixels each way",
                      .parameters = {{.name = "padding",
                                      .kind = ParameterKind::kInteger,
                                      .default_value = 4,
                                      .minimum = 1,
                                      .maximum = 1024,
                                      .help = "Most pixels moved"}}},
      .make =
          [](const Value& parameters) -> std::unique_ptr<const Augmentation> {
        return std::make_unique<RandomCrop>(IntegerOf(parameters, "padding"));
      }};
}

}  // namespace stagecoach

#include "core/data/augmentations/horizontal_flip.h"

#include <algorithm>

namespace stagecoach {
namespace {

class HorizontalFlip final : public Augmentation {
 public:
  void Apply(const PhiloxWords& words, const Shape& shape,
             absl::Span<uint8_t> image) const override {
    if (words[0] < uint32_t{1} << 31) return;
    const auto width = static_cast<size_t>(shape[2]);
    for (size_t row = 0; row < image.size(); row += width) {
      const absl::Span<uint8_t> pixels = image.subspan(row, width);
      std::reverse(pixels.begin(), pixels.end());
    }
  }
};

}  // namespace

AugmentationType HorizontalFlipAugmentation() {
  return {.declaration = {.name = "horizontal_flip",
                          .help = "Mirrors half of the images left to right",
                          .parameters = {}},
          .make = [](const Value&) -> std::unique_ptr<const Augmentation> {
            return std::make_unique<HorizontalFlip>();
          }};
}

}  // namespace stagecoach

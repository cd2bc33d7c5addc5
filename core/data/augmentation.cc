#include "core/data/augmentation.h"

#include "core/base/check.h"
#include "core/data/augmentations/horizontal_flip.h"
#include "core/data/augmentations/random_crop.h"

namespace stagecoach {

const NamedTable<AugmentationType>& Augmentations() {
  static const auto& table = *new NamedTable<AugmentationType>{
      {"random_crop", RandomCropAugmentation()},
      {"horizontal_flip", HorizontalFlipAugmentation()},
  };
  return table;
}

AugmentationList::AugmentationList(const std::vector<Choice>& resolved,
                                   uint64_t seed)
    : key_(StreamKey(seed, StreamPurpose::kAugmentation)) {
  for (const Choice& choice : resolved) {
    const AugmentationType* type = Augmentations().Find(choice.name);
    SC_CHECK(type != nullptr, choice.name);
    augmentations_.push_back(type->make(choice.parameters));
  }
}

void AugmentationList::Apply(int64_t sample, int64_t epoch, const Shape& shape,
                             absl::Span<uint8_t> image) const {
  const auto bits = static_cast<uint64_t>(sample);
  for (size_t place = 0; place < augmentations_.size(); ++place) {
    const PhiloxWords words = Philox(
        key_, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32),
               static_cast<uint32_t>(epoch), static_cast<uint32_t>(place)});
    augmentations_[place]->Apply(words, shape, image);
  }
}

}  // namespace stagecoach

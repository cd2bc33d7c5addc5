#include "tests/oracle/samples.h"

#include "tests/oracle/streams.h"

namespace stagecoach::oracle {
namespace {

// One image, with what is needed to find a pixel in it.
struct Picture {
  int64_t channels, height, width;
  std::vector<uint8_t> pixels;

  uint8_t& at(int64_t c, int64_t y, int64_t x) {
    return pixels[(c * height + y) * width + x];
  }
  uint8_t PaddedAt(int64_t c, int64_t y, int64_t x) {
    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
    return inside ? at(c, y, x) : 0;
  }
};

Picture PictureOf(const Images& images, int64_t sample) {
  const int64_t size = images.channels * images.height * images.width;
  const auto first = images.pixels.begin() + sample * size;
  return {images.channels, images.height, images.width,
          std::vector<uint8_t>(first, first + size)};
}

Picture Augmented(Picture picture, const Augmentation& augmentation,
                  const Words& words) {
  const int64_t padding = augmentation.padding;
  const int64_t dy = Below(words[0], 2 * padding + 1);
  const int64_t dx = Below(words[1], 2 * padding + 1);
  const bool flip = words[0] >= 0x80000000u;
  Picture result = picture;
  for (int64_t c = 0; c < picture.channels; ++c) {
    for (int64_t y = 0; y < picture.height; ++y) {
      for (int64_t x = 0; x < picture.width; ++x) {
        if (augmentation.kind == Augmentation::Kind::kRandomCrop) {
          result.at(c, y, x) =
              picture.PaddedAt(c, y + dy - padding, x + dx - padding);
        } else if (flip) {
          result.at(c, y, x) = picture.at(c, y, picture.width - 1 - x);
        }
      }
    }
  }
  return result;
}

}  // namespace

Batch MakeBatch(const Images& images, const Normalisation& normalisation,
                const std::vector<int64_t>& samples,
                const std::vector<Augmentation>& augmentations, uint64_t seed,
                int64_t epoch, at::MemoryFormat format) {
  const int64_t n = static_cast<int64_t>(samples.size());
  const Key key = KeyOf(seed, kAugmentation);
  at::Tensor values =
      at::empty({n, images.channels, images.height, images.width}, at::kFloat);
  at::Tensor targets = at::empty({n}, at::kLong);
  float* value = values.data_ptr<float>();
  for (int64_t i = 0; i < n; ++i) {
    const int64_t sample = samples[i];
    Picture picture = PictureOf(images, sample);
    for (size_t place = 0; place < augmentations.size(); ++place) {
      picture = Augmented(picture, augmentations[place],
                          SampleWords(key, sample, epoch, place));
    }
    const int64_t area = images.height * images.width;
    for (size_t j = 0; j < picture.pixels.size(); ++j) {
      const int64_t channel = static_cast<int64_t>(j) / area;
      *value++ = static_cast<float>(
          (picture.pixels[j] / 255.0 - normalisation.mean[channel]) /
          normalisation.std[channel]);
    }
    targets.data_ptr<int64_t>()[i] = images.labels[sample];
  }
  at::Tensor inputs = at::empty(values.sizes(), values.options(), format);
  inputs.copy_(values);
  return {inputs, targets};
}

}  // namespace stagecoach::oracle

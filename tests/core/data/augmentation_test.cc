#include "core/data/augmentation.h"

#include <fstream>
#include <numeric>
#include <random>

#include "gtest/gtest.h"
#include "tests/support/paths.h"
#include "tests/support/status_matchers.h"

namespace stagecoach {
namespace {

using Bytes = std::vector<uint8_t>;

Choice Crop(int64_t padding) {
  Value parameters = Value::object();
  parameters["padding"] = padding;
  return {.name = "random_crop", .parameters = parameters};
}

std::unique_ptr<const Augmentation> Make(const Choice& choice) {
  return Augmentations().Find(choice.name)->make(choice.parameters);
}

// The word that Below(word, bound) turns into `value`.
uint32_t WordFor(uint32_t value, uint32_t bound) {
  return static_cast<uint32_t>(((uint64_t{value} << 32) + bound - 1) / bound);
}

Bytes Applied(const Choice& choice, const PhiloxWords& words,
              const Shape& shape, Bytes image) {
  Make(choice)->Apply(words, shape, absl::MakeSpan(image));
  return image;
}

TEST(AugmentationListTest, ChangesImagesAsTheReferenceDoes) {
  std::ifstream file(SourceDir() / "tests/reference/streams.json");
  const Value expected = Value::parse(file).at("augmented_image");
  const AugmentationList list(
      {Crop(expected.at("padding")), {.name = "horizontal_flip"}},
      std::stoull(expected.at("seed").get<std::string>()));
  const Shape shape = {1, expected.at("height"), expected.at("width")};
  ASSERT_FALSE(expected.at("results").empty());
  for (const Value& result : expected.at("results")) {
    auto image = expected.at("pixels").get<Bytes>();

    list.Apply(result.at("sample"), result.at("epoch"), shape,
               absl::MakeSpan(image));

    EXPECT_EQ(image, result.at("pixels").get<Bytes>()) << result;
  }
}

TEST(AugmentationListTest, LeavesImagesAloneWhenEmpty) {
  Bytes image = {1, 2, 3, 4};

  AugmentationList({}, /*seed=*/1)
      .Apply(0, 0, {1, 2, 2}, absl::MakeSpan(image));

  EXPECT_EQ(image, (Bytes{1, 2, 3, 4}));
}

TEST(RandomCropTest, MovesByEveryDistanceInEveryChannel) {
  const int64_t height = 4;
  const int64_t width = 3;
  const int64_t padding = 6;  // more than the image: it may leave altogether
  Bytes image(2 * height * width);
  std::iota(image.begin(), image.end(), uint8_t{1});
  const uint32_t places = 2 * padding + 1;
  for (uint32_t dy = 0; dy < places; ++dy) {
    for (uint32_t dx = 0; dx < places; ++dx) {
      const Bytes moved = Applied(
          Crop(padding), {WordFor(dy, places), WordFor(dx, places), 0, 0},
          {2, height, width}, image);

      for (int64_t i = 0; i < 2 * height * width; ++i) {
        // Out of the padded image, by definition.
        const int64_t y = i / width % height + dy - padding;
        const int64_t x = i % width + dx - padding;
        const bool inside = y >= 0 && y < height && x >= 0 && x < width;
        const int64_t channel = i / (height * width);
        const int64_t from = (channel * height + y) * width + x;
        ASSERT_EQ(moved[static_cast<size_t>(i)],
                  inside ? image[static_cast<size_t>(from)] : 0)
            << dy << " " << dx << " " << i;
      }
    }
  }
}

TEST(HorizontalFlipTest, MirrorsWhereTheFirstWordIsInTheUpperHalf) {
  const Choice flip = {.name = "horizontal_flip"};
  const Shape shape = {2, 1, 3};
  const Bytes image = {1, 2, 3, 4, 5, 6};

  EXPECT_EQ(Applied(flip, {0x80000000, 0, 0, 0}, shape, image),
            (Bytes{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(Applied(flip, {0x7fffffff, 0, 0, 0}, shape, image), image);
}

TEST(AugmentationsTest, EveryOneKeepsTheShapeOfAnyImage) {
  std::mt19937 numbers(7);
  const auto word = [&numbers] { return static_cast<uint32_t>(numbers()); };
  for (const std::string& name : Augmentations().Names()) {
    const AugmentationType& type = *Augmentations().Find(name);
    EXPECT_EQ(type.declaration.name, name);
    SC_ASSERT_OK_AND_ASSIGN(const Value parameters,
                            Resolve(type.declaration, Value::object()));
    for (const Shape& shape :
         {Shape{1, 1, 1}, Shape{3, 2, 5}, Shape{1, 9, 1}}) {
      // A guard byte on each side tells a write outside.
      Bytes image(static_cast<size_t>(ElementsOf(shape)) + 2, 0x55);
      for (int i = 0; i < 100; ++i) {
        type.make(parameters)
            ->Apply({word(), word(), word(), word()}, shape,
                    absl::MakeSpan(image).subspan(1, image.size() - 2));
      }
      EXPECT_EQ(image.front(), 0x55);
      EXPECT_EQ(image.back(), 0x55);
    }
  }
}

}  // namespace
}  // namespace stagecoach

#include "tests/oracle/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/oracle/reference_vectors.h"
#include "tests/oracle/samples.h"

namespace stagecoach::oracle {
namespace {

using nlohmann::json;

const json& Reference() {
  static const json reference = ReferenceVectors("streams.json");
  return reference;
}

TEST(StreamsTest, PhiloxGivesThePublishedWords) {
  EXPECT_EQ(Philox({0, 0}, {0, 0, 0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox({~0u, ~0u}, {~0u, ~0u, ~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Philox({0xa4093822, 0x299f31d0},
                   {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(StreamsTest, WordsAndKeysAreThoseOfThePythonReference) {
  for (const json& entry : Reference()["philox"]) {
    EXPECT_EQ(Philox(entry["key"], entry["counter"]),
              entry["words"].get<Words>());
  }
  for (const json& entry : Reference()["stream_keys"]) {
    EXPECT_EQ(KeyOf(SeedOf(entry), entry["purpose"].get<Purpose>()),
              entry["key"].get<Key>());
  }
  for (const json& entry : Reference()["below"]) {
    EXPECT_EQ(Below(entry["word"], entry["n"]), entry["value"]);
  }
}

TEST(StreamsTest, OrdersAreThoseOfThePythonReference) {
  for (const json& entry : Reference()["data_order"]) {
    std::vector<int64_t> order =
        OrderOf(SeedOf(entry), entry["samples"], entry["epoch"]);
    order.resize(entry["first"].size());
    EXPECT_EQ(order, entry["first"].get<std::vector<int64_t>>());
  }
}

TEST(StreamsTest, AugmentedPixelsAreThoseOfThePythonReference) {
  const json& entry = Reference()["augmented_image"];
  Images images{.height = entry["height"], .width = entry["width"]};
  constexpr int64_t kSamples = 5;
  for (int64_t i = 0; i < kSamples; ++i) {
    const std::vector<uint8_t> pixels = entry["pixels"];
    images.pixels.insert(images.pixels.end(), pixels.begin(), pixels.end());
    images.labels.push_back(0);
  }
  const std::vector<Augmentation> augmentations = {
      {Augmentation::Kind::kRandomCrop, entry["padding"]},
      {Augmentation::Kind::kHorizontalFlip}};

  for (const json& result : entry["results"]) {
    const Batch batch =
        MakeBatch(images, {{0.0}, {1.0}}, {result["sample"]}, augmentations,
                  SeedOf(entry), result["epoch"], at::MemoryFormat::Contiguous);
    for (int64_t j = 0; j < batch.inputs.numel(); ++j) {
      const double pixel = result["pixels"][j];
      EXPECT_EQ(batch.inputs.data_ptr<float>()[j],
                static_cast<float>(pixel / 255.0));
    }
  }
}

TEST(StreamsTest, NormalisedPixelsAreThoseOfThePythonReference) {
  for (const json& entry : Reference()["normalised"]) {
    const Images images{
        .height = 1, .width = 1, .pixels = {entry["byte"]}, .labels = {3}};
    const Batch batch =
        MakeBatch(images, {{entry["mean"]}, {entry["std"]}}, {0}, {}, 1, 0,
                  at::MemoryFormat::ChannelsLast);
    EXPECT_EQ(std::bit_cast<uint32_t>(batch.inputs.item<float>()),
              entry["bits"].get<uint32_t>());
    EXPECT_EQ(batch.targets.item<int64_t>(), 3);
  }
}

TEST(StreamsTest, InitialValuesAreThoseOfThePythonReference) {
  for (const json& entry : Reference()["initial_weights"]) {
    for (const json& tensor : entry["tensors"]) {
      const std::string name = tensor["name"];
      if (name.starts_with("norm.")) continue;
      const bool is_conv = name.starts_with("conv.");
      const json& shape = entry["tensors"][is_conv ? 0 : 1]["shape"];
      const int64_t fan_in =
          is_conv ? 9 * shape[1].get<int64_t>()
                  : (entry["model"] == "conv_then_linear" ? 4 : 3);
      for (size_t j = 0; j < tensor["bits"].size(); ++j) {
        const float value = InitialValue(
            SeedOf(entry),
            tensor["first_element"].get<int64_t>() + static_cast<int64_t>(j),
            fan_in);
        EXPECT_EQ(std::bit_cast<uint32_t>(value),
                  tensor["bits"][j].get<uint32_t>())
            << name << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace stagecoach::oracle

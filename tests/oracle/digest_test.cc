#include "tests/oracle/digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/oracle/reference_vectors.h"

namespace stagecoach::oracle {
namespace {

TEST(DigestTest, Sha256GivesTheStandardsExamples) {
  EXPECT_EQ(Sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(DigestTest, LinesAreInModelOrderWithBuffersLastInTheirLayer) {
  const std::vector<TensorSpec> specs = SpecsOf(ResNet(8, 2, 3, 1));
  const Tensors tensors =
      InitialTensors(specs, 1, at::MemoryFormat::ChannelsLast);

  const std::vector<std::string> lines = DigestLines(specs, tensors);

  std::vector<std::string> heads;
  for (const std::string& line : lines) {
    heads.push_back(line.substr(0, line.rfind(' ')));
  }
  heads.resize(17);
  EXPECT_THAT(
      heads,
      ::testing::ElementsAre(
          "stem.conv.weight float32 2x1x3x3", "stem.norm.weight float32 2",
          "stem.norm.bias float32 2", "stem.norm.running_mean float32 2",
          "stem.norm.running_var float32 2",
          "block1.conv1.weight float32 2x2x3x3",
          "block1.norm1.weight float32 2", "block1.norm1.bias float32 2",
          "block1.norm1.running_mean float32 2",
          "block1.norm1.running_var float32 2",
          "block1.conv2.weight float32 2x2x3x3",
          "block1.norm2.weight float32 2", "block1.norm2.bias float32 2",
          "block1.norm2.running_mean float32 2",
          "block1.norm2.running_var float32 2",
          "block2.conv1.weight float32 4x2x3x3",
          "block2.norm1.weight float32 4"));
  EXPECT_THAT(lines.back(),
              ::testing::StartsWith("head.linear.bias float32 3"));
}

TEST(DigestTest, LinesAreThoseOfThePythonReference) {
  const Layer conv{.kind = Layer::Kind::kConv,
                   .name = "conv",
                   .inputs = 2,
                   .outputs = 3,
                   .kernel = 3,
                   .bias = true};
  const Layer norm{
      .kind = Layer::Kind::kBatchNorm, .name = "norm", .outputs = 3};
  const Layer linear{.kind = Layer::Kind::kLinear,
                     .name = "linear",
                     .inputs = 3,
                     .outputs = 2,
                     .bias = true};
  const auto specs = SpecsOf({{conv, norm}, {linear}});
  for (const auto& entry : ReferenceVectors("updates.json")["digests"]) {
    const auto lines = DigestLines(
        specs,
        InitialTensors(specs, SeedOf(entry), at::MemoryFormat::ChannelsLast));
    std::vector<std::string> expected = entry["lines"];
    for (std::string& line : expected) line += "\n";
    EXPECT_EQ(lines, expected);
    EXPECT_EQ(DigestOf(lines), entry["digest"]);
  }
}

TEST(DigestTest, DoesNotDependOnTheMemoryFormat) {
  const std::vector<TensorSpec> specs = SpecsOf(ResNet(8, 4, 3, 3));
  EXPECT_EQ(DigestLines(specs, InitialTensors(specs, 1,
                                              at::MemoryFormat::ChannelsLast)),
            DigestLines(
                specs, InitialTensors(specs, 1, at::MemoryFormat::Contiguous)));
}

}  // namespace
}  // namespace stagecoach::oracle

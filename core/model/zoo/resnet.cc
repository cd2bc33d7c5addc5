#include "core/model/zoo/resnet.h"

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"

namespace stagecoach {
namespace {

LayerSpec Conv(std::string name, int64_t channels, int64_t kernel,
               int64_t stride) {
  return {.name = std::move(name),
          .type = "conv",
          .parameters = {{"channels", channels},
                         {"kernel", kernel},
                         {"stride", stride},
                         {"padding", kernel / 2},
                         {"groups", 1},
                         {"bias", false}}};
}

LayerSpec Plain(std::string name, std::string type) {
  return {.name = std::move(name), .type = std::move(type)};
}

LayerSpec Stem(int64_t width) {
  return {.name = "stem",
          .type = "sequence",
          .body = {Conv("conv", width, /*kernel=*/3, /*stride=*/1),
                   Plain("norm", "batch_norm"), Plain("relu", "relu")}};
}

struct BlockShape {
  int64_t number;
  int64_t input_channels;
  int64_t channels;
  int64_t stride;
};

// The residual has no name of its own: its layers are block<j>.conv1 and so
// on, its shortcut's block<j>.shortcut.conv.
LayerSpec Block(const BlockShape& block) {
  LayerSpec residual = {
      .name = "",
      .type = "residual",
      .body = {Conv("conv1", block.channels, /*kernel=*/3, block.stride),
               Plain("norm1", "batch_norm"), Plain("relu1", "relu"),
               Conv("conv2", block.channels, /*kernel=*/3, /*stride=*/1),
               Plain("norm2", "batch_norm")}};
  if (block.stride != 1 || block.input_channels != block.channels) {
    residual.shortcut = {
        Conv("conv", block.channels, /*kernel=*/1, block.stride),
        Plain("norm", "batch_norm")};
  }
  return {.name = absl::StrCat("block", block.number),
          .type = "sequence",
          .body = {std::move(residual), Plain("relu2", "relu")}};
}

LayerSpec Head(int64_t classes) {
  return {.name = "head",
          .type = "sequence",
          .body = {Plain("pool", "average_pool"),
                   Plain("flatten", "flatten"),
                   {.name = "linear",
                    .type = "linear",
                    .parameters = {{"features", classes}, {"bias", true}}}}};
}

class Resnet final : public ZooModel {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<std::vector<LayerSpec>> Units(
      const Value& parameters, const Shape& input) const override {
    const int64_t depth = IntegerOf(parameters, "depth");
    if (depth % 6 != 2) {
      const int64_t below = (depth - 2) / 6 * 6 + 2;
      return FieldError(
          "depth", absl::StrCat("must be 6n + 2, not ", depth, "; e.g. ", below,
                                " or ", below + 6));
    }
    if (!Has(parameters, "classes")) {
      return FieldError("classes", "is missing; the classes of the data");
    }
    if (input.size() != 3) {
      return FieldError("", absl::StrCat("resnet takes images, channels x ",
                                         "height x width, not ",
                                         ToString(input), "; use mlp"));
    }
    const int64_t width = IntegerOf(parameters, "width");
    const int64_t blocks_per_group = depth / 6;
    std::vector<LayerSpec> units = {Stem(width)};
    int64_t channels = width;
    for (int64_t j = 0; j < 3 * blocks_per_group; ++j) {
      const int64_t group = j / blocks_per_group;
      const bool shrinks = group > 0 && j % blocks_per_group == 0;
      units.push_back(Block({.number = j + 1,
                             .input_channels = channels,
                             .channels = width << group,
                             .stride = shrinks ? 2 : 1}));
      channels = width << group;
    }
    units.push_back(Head(IntegerOf(parameters, "classes")));
    return units;
  }

  std::string OutputField(const Value&) const override { return "classes"; }

 private:
  const Declaration declaration_ = {
      .name = "resnet",
      .help = "Residual network for small images (He et al. 2016)",
      .parameters = {
          {.name = "depth",
           .kind = ParameterKind::kInteger,
           .default_value = 20,
           .minimum = 8,
           .maximum = 1202,
           .help = "Layers with weights, 6n + 2: 20, 32, 44, 56, 110"},
          {.name = "width",
           .kind = ParameterKind::kInteger,
           .default_value = 16,
           .minimum = 1,
           .maximum = 4096,
           .help = "Channels of the first group; then twice, four times that"},
          {.name = "classes",
           .kind = ParameterKind::kInteger,
           .minimum = 1,
           .maximum = 1048576,
           .help = "Classes told apart; those of the data unless given"},
      }};
};

}  // namespace

const ZooModel& ResnetModel() {
  static const Resnet& model = *new Resnet;
  return model;
}

}  // namespace stagecoach

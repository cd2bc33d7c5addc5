#include "core/model/layers/conv.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"

namespace stagecoach {
namespace {

struct Geometry {
  int64_t input_channels;
  int64_t channels;
  int64_t kernel;
  int64_t stride;
  int64_t padding;
  int64_t groups;

  int64_t fan_in() const { return input_channels / groups * kernel * kernel; }

  // Places of the kernel along one side of the input; below 1 where it does
  // not fit.
  int64_t Along(int64_t side) const {
    const int64_t room = side + 2 * padding - kernel;
    return room < 0 ? 0 : room / stride + 1;
  }
};

Geometry GeometryOf(const Value& parameters, const Shape& input) {
  return {.input_channels = input[0],
          .channels = IntegerOf(parameters, "channels"),
          .kernel = IntegerOf(parameters, "kernel"),
          .stride = IntegerOf(parameters, "stride"),
          .padding = IntegerOf(parameters, "padding"),
          .groups = IntegerOf(parameters, "groups")};
}

class Conv final : public LayerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<Shape> OutputShape(const Value& parameters,
                                    const Shape& input) const override {
    if (input.size() != 3) {
      return absl::InvalidArgumentError(absl::StrCat(
          "takes channels x height x width, not ", ToString(input)));
    }
    const Geometry g = GeometryOf(parameters, input);
    if (g.input_channels % g.groups != 0 || g.channels % g.groups != 0) {
      return FieldError(
          "groups",
          absl::StrCat(g.groups, " must divide the ", g.input_channels,
                       " channels that come in", " and the ", g.channels,
                       " that go out; e.g. 1"));
    }
    const Shape output = {g.channels, g.Along(input[1]), g.Along(input[2])};
    if (output[1] < 1 || output[2] < 1) {
      return FieldError(
          "kernel", absl::StrCat(g.kernel, " is larger than the input ",
                                 ToString(input), " with padding ", g.padding));
    }
    return output;
  }

  std::vector<TensorDeclaration> Parameters(const Value& parameters,
                                            const Shape& input) const override {
    const Geometry g = GeometryOf(parameters, input);
    const Initialisation uniform = {
        .kind = Initialisation::Kind::kUniform,
        .value = 1 / std::sqrt(static_cast<double>(g.fan_in()))};
    std::vector<TensorDeclaration> tensors = {
        {.name = "weight",
         .shape = {g.channels, g.input_channels / g.groups, g.kernel, g.kernel},
         .initialisation = uniform}};
    if (BooleanOf(parameters, "bias")) {
      tensors.push_back(
          {.name = "bias", .shape = {g.channels}, .initialisation = uniform});
    }
    return tensors;
  }

  std::vector<TensorDeclaration> Buffers(const Value&,
                                         const Shape&) const override {
    return {};
  }

  LayerCost Cost(const Value& parameters, const Shape& input) const override {
    const Geometry g = GeometryOf(parameters, input);
    const double outputs =
        static_cast<double>(g.channels * g.Along(input[1]) * g.Along(input[2]));
    const double flops = 2 * outputs * static_cast<double>(g.fan_in());
    return {
        .forward_flops = flops,
        .backward_flops = 2 * flops,
        .memory_bytes = 4 * (static_cast<double>(ElementsOf(input)) + outputs)};
  }

 private:
  const Declaration declaration_ = {
      .name = "conv",
      .help = "Convolution with a square kernel and zero padding",
      .parameters = {
          {.name = "channels",
           .kind = ParameterKind::kInteger,
           .required = true,
           .minimum = 1,
           .maximum = 65536,
           .help = "Channels that go out"},
          {.name = "kernel",
           .kind = ParameterKind::kInteger,
           .default_value = 3,
           .minimum = 1,
           .maximum = 64,
           .help = "Height and width of the kernel"},
          {.name = "stride",
           .kind = ParameterKind::kInteger,
           .default_value = 1,
           .minimum = 1,
           .maximum = 64,
           .help = "Distance between two places of the kernel"},
          {.name = "padding",
           .kind = ParameterKind::kInteger,
           .default_value = 0,
           .minimum = 0,
           .maximum = 64,
           .help = "Zeros added on each side"},
          {.name = "groups",
           .kind = ParameterKind::kInteger,
           .default_value = 1,
           .minimum = 1,
           .maximum = 65536,
           .help = "Parts of the channels that do not see each other"},
          {.name = "bias",
           .kind = ParameterKind::kBoolean,
           .default_value = true,
           .help = "Whether each channel adds a number of its own"},
      }};
};

}  // namespace

const LayerType& ConvLayer() {
  static const Conv& type = *new Conv;
  return type;
}

}  // namespace stagecoach

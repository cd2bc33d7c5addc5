#include "core/model/layers/linear.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

class Linear final : public LayerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<Shape> OutputShape(const Value& parameters,
                                    const Shape& input) const override {
    if (input.size() != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("takes a list of features, not ", ToString(input),
                       "; put flatten before it"));
    }
    return Shape{IntegerOf(parameters, "features")};
  }

  std::vector<TensorDeclaration> Parameters(const Value& parameters,
                                            const Shape& input) const override {
    const int64_t features = IntegerOf(parameters, "features");
    const Initialisation uniform = {
        .kind = Initialisation::Kind::kUniform,
        .value = 1 / std::sqrt(static_cast<double>(input[0]))};
    std::vector<TensorDeclaration> tensors = {{.name = "weight",
                                               .shape = {features, input[0]},
                                               .initialisation = uniform}};
    if (BooleanOf(parameters, "bias")) {
      tensors.push_back(
          {.name = "bias", .shape = {features}, .initialisation = uniform});
    }
    return tensors;
  }

  std::vector<TensorDeclaration> Buffers(const Value&,
                                         const Shape&) const override {
    return {};
  }

  LayerCost Cost(const Value& parameters, const Shape& input) const override {
    const auto inputs = static_cast<double>(input[0]);
    const auto outputs = static_cast<double>(IntegerOf(parameters, "features"));
    return {.forward_flops = 2 * inputs * outputs,
            .backward_flops = 4 * inputs * outputs,
            .memory_bytes = 4 * (inputs + outputs)};
  }

 private:
  const Declaration declaration_ = {
      .name = "linear",
      .help = "Product with a matrix, plus a bias",
      .parameters = {
          {.name = "features",
           .kind = ParameterKind::kInteger,
           .required = true,
           .minimum = 1,
           .maximum = 1048576,
           .help = "Features that go out"},
          {.name = "bias",
           .kind = ParameterKind::kBoolean,
           .default_value = true,
           .help = "Whether each feature adds a number of its own"},
      }};
};

}  // namespace

const LayerType& LinearLayer() {
  static const Linear& type = *new Linear;
  return type;
}

}  // namespace stagecoach

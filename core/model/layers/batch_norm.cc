#include "core/model/layers/batch_norm.h"

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

TensorDeclaration PerChannel(const char* name, const Shape& input,
                             double value) {
  return {.name = name,
          .shape = {input[0]},
          .initialisation = {.kind = Initialisation::Kind::kConstant,
                             .value = value}};
}

class BatchNorm final : public LayerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<Shape> OutputShape(const Value&,
                                    const Shape& input) const override {
    if (input.size() != 1 && input.size() != 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("takes features, or channels x height x width, not ",
                       ToString(input)));
    }
    return input;
  }

  std::vector<TensorDeclaration> Parameters(const Value&,
                                            const Shape& input) const override {
    return {PerChannel("weight", input, 1), PerChannel("bias", input, 0)};
  }

  std::vector<TensorDeclaration> Buffers(const Value&,
                                         const Shape& input) const override {
    return {PerChannel("running_mean", input, 0),
            PerChannel("running_var", input, 1)};
  }

  // A forward pass reads the input twice, for the statistics and to apply
  // them.
  LayerCost Cost(const Value&, const Shape& input) const override {
    const auto elements = static_cast<double>(ElementsOf(input));
    return {.forward_flops = 7 * elements,
            .backward_flops = 11 * elements,
            .memory_bytes = 12 * elements};
  }

 private:
  const Declaration declaration_ = {
      .name = "batch_norm",
      .help = "Normalises each channel by the statistics of the batch",
      .parameters = {},
  };
};

}  // namespace

const LayerType& BatchNormLayer() {
  static const BatchNorm& type = *new BatchNorm;
  return type;
}

}  // namespace stagecoach

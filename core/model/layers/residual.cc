#include "core/model/layers/residual.h"

namespace stagecoach {
namespace {

class Residual final : public LayerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<Shape> OutputShape(const Value&,
                                    const Shape& input) const override {
    return input;
  }

  std::vector<TensorDeclaration> Parameters(const Value&,
                                            const Shape&) const override {
    return {};
  }

  std::vector<TensorDeclaration> Buffers(const Value&,
                                         const Shape&) const override {
    return {};
  }

  // Of the sum alone: `input` is the shape of either operand.
  LayerCost Cost(const Value&, const Shape& input) const override {
    const auto elements = static_cast<double>(ElementsOf(input));
    return {.forward_flops = elements,
            .backward_flops = elements,
            .memory_bytes = 12 * elements};
  }

 private:
  const Declaration declaration_ = {
      .name = "residual",
      .help = "Adds a shortcut to the result of its body",
      .parameters = {},
  };
};

}  // namespace

const LayerType& ResidualLayer() {
  static const Residual& type = *new Residual;
  return type;
}

}  // namespace stagecoach

#include "core/model/layers/relu.h"

namespace stagecoach {
namespace {

class Relu final : public LayerType {
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

  LayerCost Cost(const Value&, const Shape& input) const override {
    const auto elements = static_cast<double>(ElementsOf(input));
    return {.forward_flops = elements,
            .backward_flops = elements,
            .memory_bytes = 8 * elements};
  }

 private:
  const Declaration declaration_ = {
      .name = "relu",
      .help = "Sets negative elements to zero",
      .parameters = {},
  };
};

}  // namespace

const LayerType& ReluLayer() {
  static const Relu& type = *new Relu;
  return type;
}

}  // namespace stagecoach

#include "core/model/layers/average_pool.h"

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

class AveragePool final : public LayerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<Shape> OutputShape(const Value&,
                                    const Shape& input) const override {
    if (input.size() != 3) {
      return absl::InvalidArgumentError(absl::StrCat(
          "takes channels x height x width, not ", ToString(input)));
    }
    return Shape{input[0], 1, 1};
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
            .memory_bytes = 4 * elements};
  }

 private:
  const Declaration declaration_ = {
      .name = "average_pool",
      .help = "The mean of each channel",
      .parameters = {},
  };
};

}  // namespace

const LayerType& AveragePoolLayer() {
  static const AveragePool& type = *new AveragePool;
  return type;
}

}  // namespace stagecoach

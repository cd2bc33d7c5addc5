#include "core/model/layers/flatten.h"

namespace stagecoach {
namespace {

class Flatten final : public LayerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<Shape> OutputShape(const Value&,
                                    const Shape& input) const override {
    return Shape{ElementsOf(input)};
  }

  std::vector<TensorDeclaration> Parameters(const Value&,
                                            const Shape&) const override {
    return {};
  }

  std::vector<TensorDeclaration> Buffers(const Value&,
                                         const Shape&) const override {
    return {};
  }

  LayerCost Cost(const Value&, const Shape&) const override { return {}; }

 private:
  const Declaration declaration_ = {
      .name = "flatten",
      .help = "Makes one list of all elements of a sample",
      .parameters = {},
  };
};

}  // namespace

const LayerType& FlattenLayer() {
  static const Flatten& type = *new Flatten;
  return type;
}

}  // namespace stagecoach

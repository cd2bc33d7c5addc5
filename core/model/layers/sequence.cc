#include "core/model/layers/sequence.h"

namespace stagecoach {
namespace {

class Sequence final : public LayerType {
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

  LayerCost Cost(const Value&, const Shape&) const override { return {}; }

 private:
  const Declaration declaration_ = {
      .name = "sequence",
      .help = "Layers one after another",
      .parameters = {},
  };
};

}  // namespace

const LayerType& SequenceLayer() {
  static const Sequence& type = *new Sequence;
  return type;
}

}  // namespace stagecoach

#include "core/method/bp.h"

namespace stagecoach {
namespace {

class Bp final : public Method {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<std::vector<StageMethod>> Stages(
      const Value&, int num_stages) const override {
    return std::vector<StageMethod>(static_cast<size_t>(num_stages),
                                    {.window = 0, .recompute = false});
  }

  // An item is updated with before the next one enters, wherever the cuts are.
  bool synchronous() const override { return true; }

 private:
  const Declaration declaration_ = {
      .name = "bp",
      .help = "Plain backpropagation, one item at a time",
      .parameters = {},
  };
};

}  // namespace

const Method& BpMethod() {
  static const Bp& method = *new Bp;
  return method;
}

}  // namespace stagecoach

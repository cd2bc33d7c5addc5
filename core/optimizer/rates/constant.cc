#include "core/optimizer/rates/constant.h"

#include "core/base/status_macros.h"
#include "core/optimizer/rates/warm_up.h"

namespace stagecoach {
namespace {

class Constant final : public LearningRate {
 public:
  Constant(double base, int64_t warm_up) : base_(base), warm_up_(warm_up) {}

  double At(int64_t applied) const override {
    return applied < warm_up_ ? WarmUpRate(base_, applied, warm_up_) : base_;
  }

 private:
  const double base_;
  const int64_t warm_up_;
};

absl::StatusOr<std::unique_ptr<const LearningRate>> Make(
    const Value& parameters, const RateFacts& facts) {
  SC_ASSIGN_OR_RETURN(const int64_t warm_up, WarmUpSteps(parameters, facts));
  return std::make_unique<const Constant>(facts.base, warm_up);
}

}  // namespace

LearningRateType ConstantRate() {
  return {.declaration = {.name = "constant",
                          .help = "The same rate for every update",
                          .parameters = {WarmUpParameter()}},
          .make = Make};
}

}  // namespace stagecoach

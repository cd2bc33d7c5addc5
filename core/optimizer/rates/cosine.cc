#include "core/optimizer/rates/cosine.h"

#include <cmath>

#include "core/base/status_macros.h"
#include "core/optimizer/rates/warm_up.h"

namespace stagecoach {
namespace {

constexpr double kPi = 3.14159265358979323846;

class Cosine final : public LearningRate {
 public:
  Cosine(const RateFacts& facts, int64_t warm_up)
      : base_(facts.base), steps_(facts.steps), warm_up_(warm_up) {}

  double At(int64_t applied) const override {
    if (applied < warm_up_) return WarmUpRate(base_, applied, warm_up_);
    const auto past = static_cast<double>(applied - warm_up_);
    const auto length = static_cast<double>(steps_ - warm_up_);
    return base_ * 0.5 * (1 + std::cos(kPi * past / length));
  }

 private:
  const double base_;
  const int64_t steps_;
  const int64_t warm_up_;
};

absl::StatusOr<std::unique_ptr<const LearningRate>> Make(
    const Value& parameters, const RateFacts& facts) {
  SC_ASSIGN_OR_RETURN(const int64_t warm_up, WarmUpSteps(parameters, facts));
  return std::make_unique<const Cosine>(facts, warm_up);
}

}  // namespace

LearningRateType CosineRate() {
  return {.declaration = {.name = "cosine",
                          .help = "Falls along half a cosine",
                          .parameters = {WarmUpParameter()}},
          .make = Make};
}

}  // namespace stagecoach

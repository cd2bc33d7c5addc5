#include "core/optimizer/sgd.h"

#include "core/base/field_error.h"

namespace stagecoach {
namespace {

class Sgd final : public OptimizerType {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::Status Check(const Value& parameters) const override {
    const bool nesterov = BooleanOf(parameters, "nesterov");
    const bool sum = Has(parameters, "sum");
    if (nesterov && sum) {
      return FieldError("sum",
                        "cannot stand beside nesterov, another kind of "
                        "momentum; leave one out (sum: 1 is Nesterov's at a "
                        "constant rate)");
    }
    if (NumberOf(parameters, "momentum") > 0) return absl::OkStatus();
    if (nesterov || sum) {
      return FieldError(nesterov ? "nesterov" : "sum",
                        "is a kind of momentum and means nothing at "
                        "momentum 0; e.g. momentum: 0.9");
    }
    return absl::OkStatus();
  }

  // A velocity, or the last z of the unified momentum.
  int64_t StatePerElement(const Value& parameters) const override {
    return NumberOf(parameters, "momentum") > 0 ? 1 : 0;
  }

 private:
  const Declaration declaration_ = {
      .name = "sgd",
      .help = "Stochastic gradient descent with momentum",
      .parameters = {
          {.name = "momentum",
           .kind = ParameterKind::kNumber,
           .default_value = 0.9,
           .minimum = 0,
           .maximum = 1,
           .below_maximum = true,
           .help = "How much of the last step goes into the next"},
          {.name = "nesterov",
           .kind = ParameterKind::kBoolean,
           .default_value = false,
           .help = "Nesterov's momentum, in PyTorch's form"},
          {.name = "sum",
           .kind = ParameterKind::kNumber,
           .minimum = 0,
           .maximum = 1e6,
           .help = "Parameter s of the stochastic unified momentum; larger "
                   "ones bear more staleness"},
          {.name = "weight_decay",
           .kind = ParameterKind::kNumber,
           .default_value = 0.0,
           .minimum = 0,
           .maximum = 1e6,
           .help = "Pulls every parameter towards zero"},
      }};
};

}  // namespace

const OptimizerType& SgdOptimizer() {
  static const Sgd& type = *new Sgd;
  return type;
}

}  // namespace stagecoach

#include "core/model/zoo/mlp.h"

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"

namespace stagecoach {
namespace {

// Unit i: linear layer i and the relu after it. The linear layer has no name
// of its own: its weight is linear<i>.weight.
LayerSpec Unit(size_t i, int64_t features, bool last) {
  LayerSpec unit = {.name = absl::StrCat("linear", i), .type = "sequence"};
  if (i == 0) unit.body.push_back({.name = "flatten", .type = "flatten"});
  unit.body.push_back({.name = "",
                       .type = "linear",
                       .parameters = {{"features", features}, {"bias", true}}});
  if (!last) unit.body.push_back({.name = "relu", .type = "relu"});
  return unit;
}

class Mlp final : public ZooModel {
 public:
  const Declaration& declaration() const override { return declaration_; }

  absl::StatusOr<std::vector<LayerSpec>> Units(
      const Value& parameters, const Shape& input) const override {
    const std::vector<int64_t> sizes = IntegersOf(parameters, "sizes");
    if (sizes.size() < 2 || sizes.size() > kMostSizes) {
      return FieldError(
          "sizes", absl::StrCat("has ", sizes.size(), " sizes; at least the ",
                                "input's and the output's, at most ",
                                kMostSizes, "; e.g. [784, 256, 10]"));
    }
    if (sizes[0] != ElementsOf(input)) {
      return FieldError(
          "sizes[0]",
          absl::StrCat(sizes[0], " does not fit a sample of ", ToString(input),
                       "; it must be ", ElementsOf(input)));
    }
    std::vector<LayerSpec> units;
    for (size_t i = 1; i < sizes.size(); ++i) {
      units.push_back(Unit(i - 1, sizes[i], i + 1 == sizes.size()));
    }
    return units;
  }

  std::string OutputField(const Value& parameters) const override {
    const size_t sizes = IntegersOf(parameters, "sizes").size();
    return absl::StrCat("sizes[", sizes - 1, "]");
  }

 private:
  static constexpr size_t kMostSizes = 1025;

  const Declaration declaration_ = {
      .name = "mlp",
      .help = "Linear layers with relu between them",
      .parameters = {
          {.name = "sizes",
           .kind = ParameterKind::kIntegers,
           .example = {784, 256, 10},
           .required = true,
           .minimum = 1,
           .maximum = 1048576,
           .help = "Features of the sample, of each layer between, and the "
                   "classes"},
      }};
};

}  // namespace

const ZooModel& MlpModel() {
  static const Mlp& model = *new Mlp;
  return model;
}

}  // namespace stagecoach

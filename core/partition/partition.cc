#include "core/partition/partition.h"

#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/partition/balanced.h"
#include "core/partition/uniform.h"

namespace stagecoach {

UnitRange UnitsOfStage(const Cuts& cuts, int64_t units, int stage) {
  const auto k = static_cast<size_t>(stage);
  return {.begin = k == 0 ? 0 : cuts.at(k - 1),
          .end = k == cuts.size() ? units : cuts.at(k)};
}

const NamedTable<Partitioner>& Partitioners() {
  static const auto& table = *new NamedTable<Partitioner>{
      {"balanced", BalancedPartitioner()},
      {"uniform", UniformPartitioner()},
  };
  return table;
}

absl::Status CheckCuts(const Cuts& cuts, int64_t units, int64_t stages) {
  const auto count = static_cast<int64_t>(cuts.size());
  if (count != stages - 1) {
    return FieldError(
        "cuts", absl::StrCat("has ", count, " cuts for ", stages,
                             " stages; one less than stages, ",
                             "the first unit of each stage but ", "the first"));
  }
  const bool known = units < std::numeric_limits<int64_t>::max();
  const std::string below =
      known ? absl::StrCat(" and below the ", units, " units of the model")
            : "";
  int64_t before = 0;
  for (size_t i = 0; i < cuts.size(); ++i) {
    const std::string path = absl::StrCat("cuts[", i, "]");
    if (cuts[i] < 1 || cuts[i] >= units) {
      return FieldError(
          path, absl::StrCat("must be at least 1", below, ", not ", cuts[i]));
    }
    if (cuts[i] <= before) {
      return FieldError(path, absl::StrCat("must be above the cut before it, ",
                                           before, ", not ", cuts[i]));
    }
    before = cuts[i];
  }
  return absl::OkStatus();
}

}  // namespace stagecoach

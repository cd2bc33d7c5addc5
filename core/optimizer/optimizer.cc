#include "core/optimizer/optimizer.h"

#include "absl/strings/str_cat.h"
#include "core/base/field_error.h"
#include "core/base/suggest.h"
#include "core/optimizer/sgd.h"

namespace stagecoach {

const NamedTable<const OptimizerType*>& Optimizers() {
  static const auto& table = *new NamedTable<const OptimizerType*>{
      {"sgd", &SgdOptimizer()},
  };
  return table;
}

absl::Status CheckOptimizer(const Choice& optimizer) {
  const OptimizerType* const* type = Optimizers().Find(optimizer.name);
  if (type != nullptr) return (*type)->Check(optimizer.parameters);
  return FieldError(
      "", absl::StrCat("no optimizer is called '", optimizer.name, "'",
                       Suggestion(optimizer.name, Optimizers().Names())));
}

}  // namespace stagecoach

#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/job/value.h"

namespace stagecoach {

// What an optimizer is, without a tensor; what it computes is in
// worker/optimizer, under the same name, and in docs/definitions.md, section 7.
//
// Immutable, hence thread-safe. `parameters` are resolved.
class OptimizerType {
 public:
  virtual ~OptimizerType() = default;

  virtual const Declaration& declaration() const = 0;

  // Checks what spans parameters. A FieldError under a parameter's name.
  virtual absl::Status Check(const Value& parameters) const = 0;

  // How many numbers it keeps for each element of the weights.
  virtual int64_t StatePerElement(const Value& parameters) const = 0;
};

const NamedTable<const OptimizerType*>& Optimizers();

// The optimizer's own Check; FieldError with a suggestion where no optimizer
// has this name. The path is relative to the optimizer's parameters.
absl::Status CheckOptimizer(const Choice& optimizer);

}  // namespace stagecoach

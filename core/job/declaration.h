#pragma once

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/job/value.h"

namespace stagecoach {

enum class ParameterKind {
  kBoolean,
  kInteger,
  kNumber,
  kText,
  kIntegers,  // a list of integers
  kAmount,    // "5%", "1 epoch", "100 steps", 100: see core/job/amount.h
};

// One parameter of something that a job file can name: enough to check a
// value, complete it, and document it.
struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::kNumber;
  Value default_value;  // null: absent unless the job gives it
  Value example;        // of lists and texts that have no default
  bool required = false;
  // Bounds of integers (also inside lists) and numbers, both included.
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;       // the minimum itself is excluded
  bool below_maximum = false;       // the maximum itself is excluded
  std::vector<std::string> one_of;  // for texts; empty allows any
  std::string excludes;  // the parameter that may not be given beside this
                         // one, and in whose presence the default is absent
  std::string needs;     // the parameter without which this one means nothing
  std::string help;      // one line, without a full stop
};

// Something that a job file can name, as users see it.
struct Declaration {
  std::string name;
  std::string help;
  std::vector<Parameter> parameters;
};

// `parameters` checked against the declaration, with defaults filled in. A
// FieldError under the parameter's name for an unknown (with a suggestion),
// mistyped, missing or out-of-range parameter, NaN and infinity included.
// One form for equal values: integers come out as integers even where they came
// in as 2.0, numbers as floating point, amounts as text. Idempotent.
absl::StatusOr<Value> Resolve(const Declaration& declaration,
                              const Value& parameters);

// Reads out of resolved parameters; the caller knows the kind.
bool BooleanOf(const Value& parameters, absl::string_view name);
int64_t IntegerOf(const Value& parameters, absl::string_view name);
double NumberOf(const Value& parameters, absl::string_view name);
std::string TextOf(const Value& parameters, absl::string_view name);
std::vector<int64_t> IntegersOf(const Value& parameters,
                                absl::string_view name);
// Whether an optional parameter was given.
bool Has(const Value& parameters, absl::string_view name);

}  // namespace stagecoach

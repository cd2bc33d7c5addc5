#include "core/job/declaration.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/check.h"
#include "core/base/field_error.h"
#include "core/base/status_macros.h"
#include "core/base/suggest.h"
#include "core/job/amount.h"

namespace stagecoach {
namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

std::string Example(const Parameter& parameter) {
  if (parameter.default_value.is_null()) return "";
  return absl::StrCat("; e.g. ", Shown(parameter.default_value));
}

// "[784, 256, 10]"
std::string ShownList(const Value& list) {
  return absl::StrCat("[",
                      absl::StrJoin(list, ", ",
                                    [](std::string* text, const Value& v) {
                                      absl::StrAppend(text, Shown(v));
                                    }),
                      "]");
}

// ", e.g. ...", of those whose message has no default to show.
std::string OrLike(const Parameter& parameter) {
  const Value& example = parameter.example;
  if (example.is_null()) return "";
  return absl::StrCat(", e.g. ", example.is_array() ? ShownList(example)
                                 : example.is_string()
                                     ? example.get<std::string>()
                                     : Shown(example));
}

std::string Expected(const Parameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::kBoolean:
      return "true or false";
    case ParameterKind::kInteger:
      return "an integer";
    case ParameterKind::kNumber:
      return "a number";
    case ParameterKind::kText:
      return absl::StrCat("a text", OrLike(parameter));
    case ParameterKind::kIntegers:
      return absl::StrCat("a list of integers", OrLike(parameter));
    case ParameterKind::kAmount:
      return "an amount, e.g. 5%, 1 epoch or 100 steps";
  }
  return "";
}

absl::Status Mistyped(const Parameter& parameter, const std::string& path,
                      const Value& value) {
  return FieldError(path,
                    absl::StrCat("must be ", Expected(parameter), ", not ",
                                 Shown(value), Example(parameter)));
}

// "at least 0 and below 1"
std::string Range(const Parameter& parameter) {
  std::vector<std::string> parts;
  if (std::isfinite(parameter.minimum)) {
    parts.push_back(
        absl::StrCat(parameter.above_minimum ? "above " : "at least ",
                     Shown(parameter.minimum)));
  }
  if (std::isfinite(parameter.maximum)) {
    parts.push_back(
        absl::StrCat(parameter.below_maximum ? "below " : "at most ",
                     Shown(parameter.maximum)));
  }
  return absl::StrJoin(parts, " and ");
}

absl::Status CheckRange(const Parameter& parameter, const std::string& path,
                        double number) {
  if (!std::isfinite(number)) {
    return FieldError(path, absl::StrCat("must be a finite number, not ",
                                         Shown(number), Example(parameter)));
  }
  const bool low = parameter.above_minimum ? number <= parameter.minimum
                                           : number < parameter.minimum;
  const bool high = parameter.below_maximum ? number >= parameter.maximum
                                            : number > parameter.maximum;
  if (!low && !high) return absl::OkStatus();
  return FieldError(path, absl::StrCat("must be ", Range(parameter), ", not ",
                                       Shown(number), Example(parameter)));
}

absl::StatusOr<Value> ResolveInteger(const Parameter& parameter,
                                     const std::string& path,
                                     const Value& value) {
  if (!value.is_number()) return Mistyped(parameter, path, value);
  const double number = value.get<double>();
  SC_RETURN_IF_ERROR(CheckRange(parameter, path, number));
  if (number != std::floor(number) || std::abs(number) > kLargestExactInteger) {
    return FieldError(path, absl::StrCat("must be an integer, not ",
                                         Shown(value), Example(parameter)));
  }
  return Value(static_cast<int64_t>(number));
}

absl::StatusOr<Value> ResolveIntegers(const Parameter& parameter,
                                      const Value& value) {
  if (!value.is_array()) return Mistyped(parameter, parameter.name, value);
  Value integers = Value::array();
  for (size_t i = 0; i < value.size(); ++i) {
    const std::string path = absl::StrCat(parameter.name, "[", i, "]");
    if (!value[i].is_number()) {
      return FieldError(
          path, absl::StrCat("must be an integer, not ", Shown(value[i])));
    }
    SC_ASSIGN_OR_RETURN(Value integer,
                        ResolveInteger(parameter, path, value[i]));
    integers.push_back(std::move(integer));
  }
  return integers;
}

absl::StatusOr<Value> ResolveText(const Parameter& parameter,
                                  const Value& value) {
  if (!value.is_string()) return Mistyped(parameter, parameter.name, value);
  const std::string text = value.get<std::string>();
  if (text.empty()) {
    return FieldError(parameter.name,
                      absl::StrCat("is empty; it must be ", Expected(parameter),
                                   Example(parameter)));
  }
  if (std::any_of(text.begin(), text.end(), absl::ascii_iscntrl)) {
    return FieldError(parameter.name,
                      absl::StrCat("has control characters: ", Shown(value)));
  }
  const std::vector<std::string>& known = parameter.one_of;
  if (known.empty() ||
      std::find(known.begin(), known.end(), text) != known.end()) {
    return value;
  }
  return FieldError(parameter.name, absl::StrCat("'", text, "' is not known",
                                                 Suggestion(text, known)));
}

absl::StatusOr<Value> ResolveParameter(const Parameter& parameter,
                                       const Value& value) {
  switch (parameter.kind) {
    case ParameterKind::kBoolean:
      if (value.is_boolean()) return value;
      return Mistyped(parameter, parameter.name, value);
    case ParameterKind::kInteger:
      return ResolveInteger(parameter, parameter.name, value);
    case ParameterKind::kNumber:
      if (!value.is_number()) return Mistyped(parameter, parameter.name, value);
      SC_RETURN_IF_ERROR(
          CheckRange(parameter, parameter.name, value.get<double>()));
      return Value(value.get<double>());
    case ParameterKind::kText:
      return ResolveText(parameter, value);
    case ParameterKind::kIntegers:
      return ResolveIntegers(parameter, value);
    case ParameterKind::kAmount: {
      const absl::StatusOr<Amount> amount = ParseAmount(value);
      if (amount.ok()) return Value(ToString(*amount));
      return FieldError(parameter.name, amount.status().message());
    }
  }
  return Mistyped(parameter, parameter.name, value);
}

absl::Status CheckNames(const Declaration& declaration,
                        const Value& parameters) {
  std::vector<std::string> known;
  for (const Parameter& parameter : declaration.parameters) {
    known.push_back(parameter.name);
  }
  for (const auto& [name, value] : parameters.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string rest =
        known.empty()
            ? absl::StrCat("; ", declaration.name, " takes no parameters")
            : Suggestion(name, known);
    return FieldError(
        name, absl::StrCat("is no parameter of ", declaration.name, rest));
  }
  return absl::OkStatus();
}

absl::Status CheckCompany(const Parameter& parameter, const Value& parameters) {
  if (!parameter.excludes.empty() && Has(parameters, parameter.excludes)) {
    return FieldError(parameter.name,
                      absl::StrCat("cannot stand beside ", parameter.excludes,
                                   ", which says the same; leave one out"));
  }
  if (!parameter.needs.empty() && !Has(parameters, parameter.needs)) {
    return FieldError(parameter.name,
                      absl::StrCat("means nothing without ", parameter.needs,
                                   "; give both or leave it out"));
  }
  return absl::OkStatus();
}

// What an absent parameter becomes; null when it stays absent.
absl::StatusOr<Value> DefaultOf(const Declaration& declaration,
                                const Parameter& parameter,
                                const Value& parameters) {
  if (parameter.required) {
    return FieldError(parameter.name,
                      absl::StrCat("is missing; ", declaration.name, " needs ",
                                   Expected(parameter)));
  }
  if (!parameter.excludes.empty() && Has(parameters, parameter.excludes)) {
    return Value();
  }
  return parameter.default_value;
}

}  // namespace

absl::StatusOr<Value> Resolve(const Declaration& declaration,
                              const Value& parameters) {
  if (!parameters.is_object() && !parameters.is_null()) {
    return FieldError(
        "", absl::StrCat("must be named parameters, not ", Shown(parameters),
                         "; e.g. ", declaration.name, ": {}"));
  }
  SC_RETURN_IF_ERROR(CheckNames(declaration, parameters));
  Value resolved = Value::object();
  for (const Parameter& parameter : declaration.parameters) {
    Value value;
    if (Has(parameters, parameter.name)) {
      SC_RETURN_IF_ERROR(CheckCompany(parameter, parameters));
      value = parameters.at(parameter.name);
    } else {
      SC_ASSIGN_OR_RETURN(value, DefaultOf(declaration, parameter, parameters));
    }
    if (value.is_null()) continue;
    SC_ASSIGN_OR_RETURN(resolved[parameter.name],
                        ResolveParameter(parameter, value));
  }
  return resolved;
}

bool BooleanOf(const Value& parameters, absl::string_view name) {
  SC_CHECK(Has(parameters, name), name);
  return parameters.at(std::string(name)).get<bool>();
}

int64_t IntegerOf(const Value& parameters, absl::string_view name) {
  SC_CHECK(Has(parameters, name), name);
  return parameters.at(std::string(name)).get<int64_t>();
}

double NumberOf(const Value& parameters, absl::string_view name) {
  SC_CHECK(Has(parameters, name), name);
  return parameters.at(std::string(name)).get<double>();
}

std::string TextOf(const Value& parameters, absl::string_view name) {
  SC_CHECK(Has(parameters, name), name);
  return parameters.at(std::string(name)).get<std::string>();
}

std::vector<int64_t> IntegersOf(const Value& parameters,
                                absl::string_view name) {
  SC_CHECK(Has(parameters, name), name);
  return parameters.at(std::string(name)).get<std::vector<int64_t>>();
}

bool Has(const Value& parameters, absl::string_view name) {
  const auto found = parameters.find(std::string(name));
  return found != parameters.end() && !found->is_null();
}

}  // namespace stagecoach

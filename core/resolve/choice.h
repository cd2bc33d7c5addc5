#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/base/named_table.h"
#include "core/job/declaration.h"
#include "core/job/value.h"

namespace stagecoach {

// Where a choice stands in the job file and what it chooses.
struct ChoiceField {
  absl::string_view path;  // "method"
  absl::string_view noun;  // "method"
};

// FieldError for a choice whose name is empty or not in the table.
absl::Status UnknownChoice(const Choice& choice, const ChoiceField& field,
                           const std::vector<std::string>& known);

// Checks the parameters against the declaration and fills in its defaults.
// FieldError from the choice's path on: "method.dsp.slack".
absl::Status ResolveParameters(const Declaration& declaration,
                               const ChoiceField& field, Choice* choice);

inline const Declaration& DeclarationOf(const Declaration& entry) {
  return entry;
}
template <typename T>
const Declaration& DeclarationOf(const T* const& entry) {
  return entry->declaration();
}
template <typename T>
const Declaration& DeclarationOf(const T& entry) {
  return entry.declaration;
}

// Both of the above, for any of the registries.
template <typename T>
absl::Status ResolveChoice(const NamedTable<T>& table, const ChoiceField& field,
                           Choice* choice) {
  const T* entry = table.Find(choice->name);
  if (entry == nullptr) return UnknownChoice(*choice, field, table.Names());
  return ResolveParameters(DeclarationOf(*entry), field, choice);
}

}  // namespace stagecoach

#include "core/resolve/choice.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/base/field_error.h"
#include "core/base/suggest.h"

namespace stagecoach {

absl::Status UnknownChoice(const Choice& choice, const ChoiceField& field,
                           const std::vector<std::string>& known) {
  if (choice.name.empty()) {
    return FieldError(field.path,
                      absl::StrCat("names no ", field.noun, "; one of ",
                                   absl::StrJoin(known, ", ")));
  }
  return FieldError(absl::StrCat(field.path, ".", choice.name),
                    absl::StrCat("no ", field.noun, " is called '", choice.name,
                                 "'", Suggestion(choice.name, known)));
}

absl::Status ResolveParameters(const Declaration& declaration,
                               const ChoiceField& field, Choice* choice) {
  absl::StatusOr<Value> resolved = Resolve(declaration, choice->parameters);
  if (!resolved.ok()) {
    return UnderField(absl::StrCat(field.path, ".", choice->name),
                      resolved.status());
  }
  choice->parameters = *std::move(resolved);
  return absl::OkStatus();
}

}  // namespace stagecoach

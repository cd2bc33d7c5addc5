#include "core/base/field_error.h"

#include <optional>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace stagecoach {

absl::Status FieldError(absl::string_view path, absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kFieldPayload, absl::Cord(path));
  return status;
}

std::string FieldOf(const absl::Status& status) {
  const absl::optional<absl::Cord> path = status.GetPayload(kFieldPayload);
  return path.has_value() ? std::string(*path) : std::string();
}

absl::Status UnderField(absl::string_view prefix, const absl::Status& status) {
  const std::string path = FieldOf(status);
  if (status.ok() || !status.GetPayload(kFieldPayload).has_value()) {
    return status;
  }
  const bool attached = path.empty() || path[0] == '[';
  absl::Status moved = status;
  moved.SetPayload(kFieldPayload,
                   absl::Cord(absl::StrCat(prefix, attached ? "" : ".", path)));
  return moved;
}

}  // namespace stagecoach

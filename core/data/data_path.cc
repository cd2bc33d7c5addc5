#include "core/data/data_path.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace stagecoach {
namespace {

namespace fs = std::filesystem;

// Whether `inside` is `folder` or below it; both are canonical.
bool IsBelow(const fs::path& inside, const fs::path& folder) {
  const auto [end, rest] =
      std::mismatch(folder.begin(), folder.end(), inside.begin(), inside.end());
  return end == folder.end();
}

}  // namespace

absl::StatusOr<std::string> DataPath(const std::string& path,
                                     const std::string& root, bool confined) {
  const fs::path joined = fs::path(root) / path;
  if (!confined) return joined.string();
  std::error_code failed;
  const fs::path folder = fs::canonical(root.empty() ? "." : root, failed);
  if (failed) {
    return absl::NotFoundError(absl::StrCat(
        "the data root ", root, " is not here: ", failed.message()));
  }
  const fs::path target = fs::weakly_canonical(joined, failed);
  if (!failed && IsBelow(target, folder)) return target.string();
  return absl::PermissionDeniedError(
      absl::StrCat(path, " is outside the data root ", folder.string(),
                   " of this worker; name a path below it"));
}

}  // namespace stagecoach

#include "client/state_folder.h"

#include <algorithm>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/process/state_home.h"

namespace stagecoach {
namespace {

int NewestNumberIn(const std::filesystem::path& root) {
  int newest = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
    int number = 0;
    if (absl::SimpleAtoi(entry.path().filename().string(), &number)) {
      newest = std::max(newest, number);
    }
  }
  return newest;
}

}  // namespace

absl::StatusOr<std::filesystem::path> NewStateFolder() {
  constexpr int kTries = 100;  // others may take the same number
  const std::filesystem::path root = StateHome();
  std::error_code error;
  std::filesystem::create_directories(root, error);
  int number = NewestNumberIn(root);
  for (int i = 0; i < kTries && !error; ++i) {
    const std::filesystem::path folder = root / absl::StrCat(++number);
    if (std::filesystem::create_directory(folder, error)) return folder;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("cannot make a folder in ", root.string(),
                   error ? absl::StrCat(": ", error.message()) : "",
                   "; name one with --state DIR"));
}

}  // namespace stagecoach

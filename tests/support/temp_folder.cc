#include "tests/support/temp_folder.h"

#include <stdlib.h>

#include <fstream>
#include <system_error>

#include "core/base/check.h"

namespace stagecoach {

TempFolder::TempFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "stagecoach-XXXXXX").string();
  SC_CHECK(mkdtemp(name.data()) != nullptr, "a temporary folder can be made");
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::Write(const std::string& name,
                              absl::string_view contents) const {
  std::string path = (path_ / name).string();
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

}  // namespace stagecoach

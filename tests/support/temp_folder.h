#pragma once

#include <filesystem>
#include <string>

#include "absl/strings/string_view.h"

namespace stagecoach {

// A folder in the system's temporary one, of this process alone, that goes with
// this object and with everything in it.
//
// Thread-confined: the test.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // The path of the file that it writes.
  std::string Write(const std::string& name, absl::string_view contents) const;

 private:
  std::filesystem::path path_;
};

}  // namespace stagecoach

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/base/tensor_bytes.h"

namespace stagecoach {

// An IDX file of unsigned bytes with this header, whatever follows it.
std::string IdxBytes(const Shape& shape, absl::string_view elements);

// Compressed as `gzip` does.
std::string Gzip(absl::string_view bytes);

// A folder that is removed with everything in it.
//
// Thread-confined: the test.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // The path of the file that it writes.
  std::string Write(const std::string& name, absl::string_view contents) const;

 private:
  std::filesystem::path path_;
};

}  // namespace stagecoach

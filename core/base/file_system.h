#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace stagecoach {

// Files, as far as the product needs them. Errors carry the path and the
// system's words: kNotFound, kPermissionDenied, kResourceExhausted (disk full)
// and kInternal.
//
// Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // The whole file. kResourceExhausted when it is longer than `limit` bytes.
  virtual absl::StatusOr<std::string> Read(const std::string& path,
                                           int64_t limit) const = 0;

  // Replaces the file as one step that survives a crash: a temporary file in
  // the same folder, synced, renamed over `path`, the folder synced.
  virtual absl::Status Replace(const std::string& path,
                               absl::string_view contents) = 0;

  // Makes the folder and those above it; no error when it exists.
  virtual absl::Status MakeFolder(const std::string& path) = 0;

  virtual bool Exists(const std::string& path) const = 0;

  // Removes a file. OK when there was none.
  virtual absl::Status Remove(const std::string& path) = 0;
};

class PosixFileSystem final : public FileSystem {
 public:
  absl::StatusOr<std::string> Read(const std::string& path,
                                   int64_t limit) const override;
  absl::Status Replace(const std::string& path,
                       absl::string_view contents) override;
  absl::Status MakeFolder(const std::string& path) override;
  bool Exists(const std::string& path) const override;
  absl::Status Remove(const std::string& path) override;
};

}  // namespace stagecoach

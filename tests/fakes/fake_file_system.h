#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/base/file_system.h"
#include "core/base/mutex.h"

namespace stagecoach {

// A file system in memory, on a machine that can fail.
//
// Thread-safe.
class FakeFileSystem final : public FileSystem {
 public:
  // What the machine was doing in a Replace() when it lost power.
  enum class CrashPoint {
    // The temporary file holds half of the contents; the old file stands.
    kWhileWriting,
    // All was written and renamed, but the folder was not synced, so that the
    // old file is back after the restart.
    kBeforeFolderSync,
    // The new file stands, but the caller never heard of it.
    kAfterwards,
  };

  absl::StatusOr<std::string> Read(const std::string& path,
                                   int64_t limit) const override;
  absl::Status Replace(const std::string& path,
                       absl::string_view contents) override;
  absl::Status MakeFolder(const std::string& path) override;
  bool Exists(const std::string& path) const override;
  absl::Status Remove(const std::string& path) override;

  // Room for this many bytes in all files; a Replace() beyond fails with
  // kResourceExhausted and changes nothing.
  void SetCapacity(int64_t bytes);

  // The machine loses power in the Replace() after the next `successes` ones.
  // From then on every call fails with kUnavailable, until Restart().
  void CrashAfter(int successes, CrashPoint point);
  void Restart();
  bool crashed() const;

  // Changes a file as a bad disk would: the byte at `offset` is inverted.
  void Corrupt(const std::string& path, size_t offset);

  // All files, by path.
  std::map<std::string, std::string> files() const;

 private:
  absl::Status CheckAliveLocked() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool CrashesNowLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CrashLocked(const std::string& path, absl::string_view contents)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  std::map<std::string, std::string> files_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> folders_ ABSL_GUARDED_BY(mutex_) = {"", ".", "/"};
  int64_t capacity_ ABSL_GUARDED_BY(mutex_) = INT64_MAX;
  std::optional<int> successes_left_ ABSL_GUARDED_BY(mutex_);
  CrashPoint crash_point_ ABSL_GUARDED_BY(mutex_) = CrashPoint::kWhileWriting;
  bool crashed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace stagecoach

#include "tests/fakes/fake_file_system.h"

#include "absl/strings/str_cat.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

absl::Status FakeFileSystem::CheckAliveLocked() const {
  if (!crashed_) return absl::OkStatus();
  return absl::UnavailableError("the machine is off");
}

absl::StatusOr<std::string> FakeFileSystem::Read(const std::string& path,
                                                 int64_t limit) const {
  const MutexLock lock(mutex_);
  SC_RETURN_IF_ERROR(CheckAliveLocked());
  if (folders_.contains(path)) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is a folder"));
  }
  const auto found = files_.find(path);
  if (found == files_.end()) {
    return absl::NotFoundError(absl::StrCat("cannot open ", path));
  }
  if (static_cast<int64_t>(found->second.size()) > limit) {
    return absl::ResourceExhaustedError(
        absl::StrCat(path, " is longer than ", limit, " bytes"));
  }
  return found->second;
}

absl::Status FakeFileSystem::Replace(const std::string& path,
                                     absl::string_view contents) {
  const MutexLock lock(mutex_);
  SC_RETURN_IF_ERROR(CheckAliveLocked());
  if (!folders_.contains(FolderOf(path))) {
    return absl::NotFoundError(absl::StrCat("cannot create ", path));
  }
  if (CrashesNowLocked()) return CrashLocked(path, contents);
  // The old file and the new one are there at once for a moment.
  int64_t used = static_cast<int64_t>(contents.size());
  for (const auto& [name, held] : files_) {
    used += static_cast<int64_t>(held.size());
  }
  if (used > capacity_) {
    return absl::ResourceExhaustedError(absl::StrCat("cannot write ", path));
  }
  files_[path] = std::string(contents);
  return absl::OkStatus();
}

bool FakeFileSystem::CrashesNowLocked() {
  return successes_left_.has_value() && (*successes_left_)-- == 0;
}

absl::Status FakeFileSystem::CrashLocked(const std::string& path,
                                         absl::string_view contents) {
  crashed_ = true;
  successes_left_.reset();
  if (crash_point_ == CrashPoint::kWhileWriting) {
    files_[path + ".1.new"] =
        std::string(contents.substr(0, contents.size() / 2));
  } else if (crash_point_ == CrashPoint::kAfterwards) {
    files_[path] = std::string(contents);
  }
  return CheckAliveLocked();
}

absl::Status FakeFileSystem::MakeFolder(const std::string& path) {
  const MutexLock lock(mutex_);
  SC_RETURN_IF_ERROR(CheckAliveLocked());
  for (std::string folder = path; !folders_.contains(folder);
       folder = FolderOf(folder)) {
    if (files_.contains(folder)) {
      return absl::FailedPreconditionError(
          absl::StrCat("cannot make folder ", path));
    }
    folders_.insert(folder);
  }
  return absl::OkStatus();
}

bool FakeFileSystem::Exists(const std::string& path) const {
  const MutexLock lock(mutex_);
  return !crashed_ && (files_.contains(path) || folders_.contains(path));
}

absl::Status FakeFileSystem::Remove(const std::string& path) {
  const MutexLock lock(mutex_);
  SC_RETURN_IF_ERROR(CheckAliveLocked());
  files_.erase(path);
  return absl::OkStatus();
}

void FakeFileSystem::SetCapacity(int64_t bytes) {
  const MutexLock lock(mutex_);
  capacity_ = bytes;
}

void FakeFileSystem::CrashAfter(int successes, CrashPoint point) {
  const MutexLock lock(mutex_);
  successes_left_ = successes;
  crash_point_ = point;
}

void FakeFileSystem::Restart() {
  const MutexLock lock(mutex_);
  crashed_ = false;
}

bool FakeFileSystem::crashed() const {
  const MutexLock lock(mutex_);
  return crashed_;
}

void FakeFileSystem::Corrupt(const std::string& path, size_t offset) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(path);
  SC_CHECK(found != files_.end() && offset < found->second.size(), path);
  found->second[offset] = static_cast<char>(~found->second[offset]);
}

std::map<std::string, std::string> FakeFileSystem::files() const {
  const MutexLock lock(mutex_);
  return files_;
}

}  // namespace stagecoach

#include "core/base/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "core/base/status_macros.h"

namespace stagecoach {
namespace {

absl::Status ErrnoError(absl::string_view what, const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot ", what, " ", path));
}

// A descriptor that closes itself.
class File {
 public:
  File(const std::string& path, int flags)
      : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool ok() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

absl::Status WriteAll(int descriptor, absl::string_view rest,
                      const std::string& path) {
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return ErrnoError("write", path);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// Errors name the file that is to be: the temporary one means nothing to users.
absl::Status WriteSynced(const std::string& temporary, const std::string& path,
                         absl::string_view contents) {
  const File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.ok()) return ErrnoError("create", path);
  SC_RETURN_IF_ERROR(WriteAll(file.get(), contents, path));
  if (::fsync(file.get()) != 0) return ErrnoError("sync", path);
  return absl::OkStatus();
}

absl::Status SyncFolderOf(const std::string& path) {
  std::string folder = std::filesystem::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  const File file(folder, O_RDONLY | O_DIRECTORY);
  if (!file.ok()) return ErrnoError("open", folder);
  if (::fsync(file.get()) != 0) return ErrnoError("sync", folder);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> PosixFileSystem::Read(const std::string& path,
                                                  int64_t limit) const {
  const File file(path, O_RDONLY);
  if (!file.ok()) return ErrnoError("open", path);
  struct stat facts = {};
  if (::fstat(file.get(), &facts) != 0) return ErrnoError("inspect", path);
  if (S_ISDIR(facts.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is a folder"));
  }
  std::string contents;
  char block[1 << 16];
  while (true) {
    const ssize_t got = ::read(file.get(), block, sizeof(block));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return ErrnoError("read", path);
    if (got == 0) return contents;
    contents.append(block, static_cast<size_t>(got));
    if (static_cast<int64_t>(contents.size()) > limit) {
      return absl::ResourceExhaustedError(
          absl::StrCat(path, " is longer than ", limit, " bytes"));
    }
  }
}

absl::Status PosixFileSystem::Replace(const std::string& path,
                                      absl::string_view contents) {
  const std::string temporary = absl::StrCat(path, ".", ::getpid(), ".new");
  absl::Status written = WriteSynced(temporary, path, contents);
  if (written.ok() && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = ErrnoError("rename to", path);
  }
  if (!written.ok()) {
    ::unlink(temporary.c_str());
    return written;
  }
  return SyncFolderOf(path);
}

absl::Status PosixFileSystem::MakeFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return absl::OkStatus();
  return absl::ErrnoToStatus(error.value(),
                             absl::StrCat("cannot make folder ", path));
}

bool PosixFileSystem::Exists(const std::string& path) const {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

absl::Status PosixFileSystem::Remove(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return absl::OkStatus();
  return ErrnoError("remove", path);
}

}  // namespace stagecoach

#include "worker/memory_limit.h"

#include <unistd.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"

namespace stagecoach {
namespace {

// Of control groups, version 2 and 1. "max" stands for no limit.
constexpr const char* kLimitFiles[] = {
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
};

}  // namespace

int64_t DefaultMemoryLimit(const FileSystem& files, int64_t physical_bytes) {
  constexpr int64_t kMaxFileBytes = 4096;
  int64_t bytes = physical_bytes;
  for (const char* path : kLimitFiles) {
    const auto text = files.Read(path, kMaxFileBytes);
    int64_t limit = 0;
    if (text.ok() &&
        absl::SimpleAtoi(absl::StripAsciiWhitespace(*text), &limit)) {
      bytes = std::min(bytes, limit);
    }
  }
  return bytes / 10 * 9;
}

int64_t PhysicalMemory() {
  return static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
}

}  // namespace stagecoach

#include "core/base/allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace stagecoach {
namespace {

constexpr uintptr_t kHugePage = 2 << 20;
constexpr int64_t kBlock = 16 << 20;

void Touch(void* block, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(block);
  const uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (begin + size) / kHugePage * kHugePage;
  if (end > first) {
    madvise(static_cast<char*>(block) + (first - begin), end - first,
            MADV_HUGEPAGE);
  }
  // Volatile: writes to memory that is then freed would be optimised away.
  auto* const places = static_cast<volatile std::byte*>(block);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (size_t i = 0; i < size; i += page) places[i] = std::byte{0};
}

}  // namespace

#if defined(__GLIBC__)

void ConfigureAllocator() {
  constexpr int kGigabyte = 1 << 30;
  constexpr int kMostOfOlderVersions = 32 << 20;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, kGigabyte);
  mallopt(M_TOP_PAD, 64 << 20);
  if (mallopt(M_MMAP_THRESHOLD, kGigabyte) == 0) {
    mallopt(M_MMAP_THRESHOLD, kMostOfOlderVersions);
  }
}

#else

void ConfigureAllocator() {}

#endif

void PrefaultHeap(int64_t bytes) {
  // Blocks stay below every threshold above which they would be mapped apart,
  // and are freed together, or each would take the place of the last.
  std::vector<std::unique_ptr<void, decltype(&std::free)>> blocks;
  // Now, so that nothing small comes to lie between the blocks.
  blocks.reserve(static_cast<size_t>(bytes / kBlock + 1));
  for (int64_t done = 0; done < bytes; done += kBlock) {
    const auto size = static_cast<size_t>(std::min(kBlock, bytes - done));
    void* const block = std::malloc(size);
    if (block == nullptr) return;
    blocks.emplace_back(block, &std::free);
    Touch(block, size);
  }
}

}  // namespace stagecoach

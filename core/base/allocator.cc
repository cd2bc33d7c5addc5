#include "core/base/allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "absl/types/span.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace stagecoach {
namespace {

constexpr uintptr_t kHugePage = 2 << 20;
constexpr int64_t kBlock = 16 << 20;

// Where the heap began, or nearly; null before ConfigureAllocator().
std::atomic<std::byte*> heap_begin = nullptr;

std::byte* HeapEnd() { return static_cast<std::byte*>(sbrk(0)); }

// The whole huge pages among those bytes.
absl::Span<std::byte> HugePagesIn(absl::Span<std::byte> bytes) {
  const auto address = reinterpret_cast<uintptr_t>(bytes.data());
  const size_t before = (kHugePage - address % kHugePage) % kHugePage;
  if (before >= bytes.size()) return {};
  bytes.remove_prefix(before);
  return bytes.first(bytes.size() / kHugePage * kHugePage);
}

void Touch(void* block, size_t size) {
  const absl::Span<std::byte> pages =
      HugePagesIn({static_cast<std::byte*>(block), size});
  madvise(pages.data(), pages.size(), MADV_HUGEPAGE);
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
  constexpr int kNever = -1;
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, kNever);
  mallopt(M_TOP_PAD, 64 << 20);
  if (mallopt(M_MMAP_THRESHOLD, kGigabyte) == 0) {
    mallopt(M_MMAP_THRESHOLD, kMostOfOlderVersions);
  }
  heap_begin = HeapEnd();
}

void ReleaseHeap() { malloc_trim(0); }

#else

void ConfigureAllocator() {}
void ReleaseHeap() {}

#endif

void BackHeapByHugePages() {
#if defined(MADV_COLLAPSE)
  constexpr int kCollapse = MADV_COLLAPSE;
#else
  constexpr int kCollapse = 25;  // Linux 6.1; older ones refuse it
#endif
  std::byte* const begin = heap_begin;
  if (begin == nullptr) return;
  const absl::Span<std::byte> pages =
      HugePagesIn({begin, static_cast<size_t>(HeapEnd() - begin)});
  madvise(pages.data(), pages.size(), MADV_HUGEPAGE);
  // What is there already; the system would come to it after minutes.
  madvise(pages.data(), pages.size(), kCollapse);
}

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
